"""The Java library on abstract values: where a call goes when no declared method answers it.

Collections and streams have rooms beside this one, and what counts, hashes and reads is in `natives`.
"""
