"""Where execution begins in a deployable: programs, the components of a container, and code nobody in sight calls.

Entries are found by a backward slice over names: a method is in the slice if it touches a client library, or calls by
name what is in the slice. Each `main` is run by itself, the components of a container together in one heap; what is in
the slice and was not reached by any of them is entered where its calls begin, its parameters unknown.
"""

from subdrift.linter.resolve.execute.entries.execution import execute as execute
from subdrift.linter.resolve.execute.entries.names import is_mentioned as is_mentioned
from subdrift.linter.resolve.execute.entries.names import is_root as is_root
from subdrift.linter.resolve.execute.entries.running import Executed as Executed
