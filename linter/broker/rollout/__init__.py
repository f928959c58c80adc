"""Changing a running group without loss: its members and a goal in, orders of steps with what each of them costs out.

While members are restarted one after the other, old and new subscriptions meet in one group, and the broker keeps only one
of them. Three goals have plans: other tags for all members (`tags`), a group of its own for some of them (`split`), the
same topics for all (`union`). Every state between two steps is judged like any scenario (`judge`): the closed form says
what may be lost, runs of the event model how much that usually is.
"""
