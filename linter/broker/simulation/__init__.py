"""Event simulation of one consumer group on a cluster: a scenario and a seed in, one possible history out.

Every wait, request and answer is an event on a virtual clock; the seed decides latencies and every order RocketMQ
leaves open. It shares the scenario format, the parsers and the allocation strategies with the closed form, and
nothing else: the two are held against each other.
"""
