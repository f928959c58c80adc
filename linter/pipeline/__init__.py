"""Drives the stages in this process (`analysis`): what a run is told and gives (`result`), what it reads and works out
(`run`), of what `parts`.
"""

from subdrift.linter.pipeline.analysis import analyse as analyse
from subdrift.linter.pipeline.result import Looked as Looked
from subdrift.linter.pipeline.result import Material as Material
from subdrift.linter.pipeline.result import Options as Options
from subdrift.linter.pipeline.result import Policy as Policy
from subdrift.linter.pipeline.result import Result as Result
from subdrift.linter.pipeline.result import Seen as Seen
from subdrift.linter.pipeline.result import Sight as Sight
