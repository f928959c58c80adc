"""The reference model: what brokers and clients of RocketMQ do with the subscriptions of a consumer group.

Pure functions and values on a virtual clock, one file for each family of RocketMQ classes it mirrors.
"""
