"""The units of work, pure functions both drivers schedule: `survey` and `read` a file, `consume` a deployable,
`judge` a consumer group. Between them: what the facts at hand ask for (`Wanted`), and who meets whom (`groups`).
"""

from subdrift.linter.extract import read as read
from subdrift.linter.resolve.consumers import Consumers as Consumers
from subdrift.linter.stages.brief import brief as brief
from subdrift.linter.stages.brief import whole as whole
from subdrift.linter.stages.demand import BELOW as BELOW
from subdrift.linter.stages.demand import ROUNDS_MAX as ROUNDS_MAX
from subdrift.linter.stages.demand import Demand as Demand
from subdrift.linter.stages.demand import Request as Request
from subdrift.linter.stages.demand import Uses as Uses
from subdrift.linter.stages.demand import Wanted as Wanted
from subdrift.linter.stages.demand import defining as defining
from subdrift.linter.stages.demand import mentioning as mentioning
from subdrift.linter.stages.demand import supertypes as supertypes
from subdrift.linter.stages.known import Known as Known
from subdrift.linter.stages.known import consume as consume
from subdrift.linter.stages.known import in_cluster as in_cluster
from subdrift.linter.stages.membership import group_key as group_key
from subdrift.linter.stages.membership import groups as groups
from subdrift.linter.stages.paths import Paths as Paths
from subdrift.linter.stages.reading import Silent as Silent
from subdrift.linter.stages.reading import Survey as Survey
from subdrift.linter.stages.reading import always_read as always_read
from subdrift.linter.stages.reading import is_passed_over as is_passed_over
from subdrift.linter.stages.reading import looked_at as looked_at
from subdrift.linter.stages.reading import problems as problems
from subdrift.linter.stages.reading import survey as survey
from subdrift.linter.stages.reading import surveyed as surveyed
from subdrift.linter.stages.reading import unread as unread
from subdrift.linter.stages.recorded import Recorded as Recorded
from subdrift.linter.stages.recorded import Recorder as Recorder
from subdrift.linter.stages.unit import Unit as Unit
from subdrift.linter.stages.unit import is_library_key as is_library_key
from subdrift.linter.stages.unit import keys_of as keys_of
from subdrift.linter.stages.unit import with_unmet as with_unmet
from subdrift.linter.stages.verdicts import judge as judge
from subdrift.linter.stages.verdicts import judge_consumer as judge_consumer
