"""What runs of entries may cost."""

from __future__ import annotations

from subdrift.linter.resolve.execute.budgets import STEPS_MAX, Budget

CALLERS_MAX = 1_000
"""Methods looked at for others that lead to one method; with more the rest is not looked for."""

ROOTS_MAX = 256
"""Methods entered by themselves because nothing in sight calls them, in one deployable."""

RECURSION_LIMIT = 5_000
"""Python calls inside calls while a program is run: enough for `DEPTH_MAX` calls of some size."""

TEST_STEPS_MAX = 4_000
"""Statements and calls run for one test: tests of large projects start half of a server first."""

TESTS_STEPS_MIN = 8_000
"""Statements and calls run for all tests of a deployable together, where they make no consumer of which group or topic are
known: tests draw both by lot, and of three hundred such rows nothing is compared ..."""

TESTS_STEPS_A_CONSUMER = 4_000
"""... more for each other consumer they have made ..."""

TESTS_STEPS_MAX = 400_000
"""... and at most. Tests that are left then are not run, and counted."""

BARREN_TEST_STEPS_MAX = 2_500
"""Statements and calls run for one test before it has made a consumer. Of 200 in public repositories all but one make their
first within 2,000, half within 500."""

BARREN_ROOT_STEPS_MAX = 24_000
"""The same for code that nothing in sight calls."""

SCOUTS_STEPS_MAX = 8_000
"""The same in a round that only learns which files to read."""

FAR_STEPS_MAX = 500
"""The same for any entry of a deployable of which no code handles consumers: only names lead from it to one. Of those in
public repositories that come to one all do within 150."""

BARREN_STEPS_MIN = 12_000
"""The same for all entries of a deployable together, tests apart: what leads to a consumer by names alone is no measure of
what it may cost ..."""

BARREN_STEPS_A_CLASS = 500
"""... more for each class of it that handles consumers. When they are used up entries begin at the class that makes one, not
where its calls begin ..."""

LATE_STEPS_MAX = 1_000
"""... and may go so far each. What was left out then is counted. Of 400 entries in public repositories that come to a consumer
nine in ten do within so many."""

PATIENCE = 2
"""Entries of a deployable in a row that are run with more for a value, and know no more of a consumer then: the last."""

ROOT = Budget(STEPS_MAX, BARREN_ROOT_STEPS_MAX)

TEST = Budget(TEST_STEPS_MAX, BARREN_TEST_STEPS_MAX, brief=True)

CHEAP_STEPS = 256
"""Statements and calls of a run that is done again in every round rather than taken over."""
