"""Build files (`builds`) -> the modules of a run (`modules`), what they are told as (`parts`), and those that take each other
in (`rings`).
"""

from subdrift.linter.resolve.modules.modules import RING_MAX as RING_MAX
from subdrift.linter.resolve.modules.modules import Modules as Modules
from subdrift.linter.resolve.modules.parts import Deployable as Deployable
from subdrift.linter.resolve.modules.parts import ModuleKey as ModuleKey
from subdrift.linter.resolve.modules.parts import Resources as Resources
from subdrift.linter.resolve.modules.parts import Ring as Ring
