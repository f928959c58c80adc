"""Consumers that programs make: the programs of a deployable are run (`runs`), and the log of each consumer becomes rows in
every environment: its choices (`ways`), what they make of it (`replay`), what that is (`values`, `subscriptions`, `places`),
whether it starts (`starts`), what nobody could follow (`unfollowed`), and what is one consumer (`together`).
"""

from subdrift.linter.resolve.programs.hooks import Hooked as Hooked
from subdrift.linter.resolve.programs.rows import Rows as Rows
from subdrift.linter.resolve.programs.runs import Programs as Programs
from subdrift.linter.resolve.programs.runs import run_programs as run_programs
from subdrift.linter.resolve.programs.ways import COMBINATIONS_MAX as COMBINATIONS_MAX
from subdrift.linter.resolve.programs.ways import ROWS_MAX as ROWS_MAX
