"""The units of work, pure functions both drivers schedule: `survey` and `read` a file, `consume` a deployable,
`judge` a consumer group. Between them: what the facts at hand ask for (`Wanted`), and who meets whom (`groups`).
"""

from linter.extract import read as read
from linter.resolve.consumers import Consumers as Consumers
from linter.stages.demand import BELOW as BELOW
from linter.stages.demand import ROUNDS_MAX as ROUNDS_MAX
from linter.stages.demand import Demand as Demand
from linter.stages.demand import Request as Request
from linter.stages.demand import Uses as Uses
from linter.stages.demand import Wanted as Wanted
from linter.stages.demand import defining as defining
from linter.stages.demand import mentioning as mentioning
from linter.stages.known import Known as Known
from linter.stages.known import consume as consume
from linter.stages.known import in_cluster as in_cluster
from linter.stages.membership import group_key as group_key
from linter.stages.membership import groups as groups
from linter.stages.paths import Paths as Paths
from linter.stages.reading import Silent as Silent
from linter.stages.reading import Survey as Survey
from linter.stages.reading import always_read as always_read
from linter.stages.reading import is_passed_over as is_passed_over
from linter.stages.reading import problems as problems
from linter.stages.reading import survey as survey
from linter.stages.reading import surveyed as surveyed
from linter.stages.reading import unread as unread
from linter.stages.recorded import Recorded as Recorded
from linter.stages.recorded import Recorder as Recorder
from linter.stages.unit import Unit as Unit
from linter.stages.unit import is_library_key as is_library_key
from linter.stages.unit import keys_of as keys_of
from linter.stages.verdicts import judge as judge
from linter.stages.verdicts import judge_consumer as judge_consumer
