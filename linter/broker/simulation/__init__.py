"""Event simulation of one consumer group on a cluster: a scenario and a seed in, one possible history out.

Every wait, request and answer is an event on a virtual clock; the seed decides latencies and every order RocketMQ
leaves open. It shares the scenario format, the parsers and the allocation strategies with the closed form, and
nothing else: the two are held against each other.

Coarser than the broker: topics are young, so nothing is deleted and a queue without an offset begins at 0 (`expire`
does nothing); code 28 needs a race between the table and the filter store, which change together here; a request to a
broker that is away fails at once instead of after a timeout, and one that an old broker never answers is not repeated;
a master has no slave and a group no more than one retry queue a broker; class filters, ACL, flow control (215), dead
letter queues and orderly listeners that refuse are left out. POP acknowledges in no time and wakes one waiting request
whatever its filter, and gRPC members go by the source alone. The expiry of offsets held in memory over a kill of the
broker is left out: a restart keeps every committed offset.
"""
