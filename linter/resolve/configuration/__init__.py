"""The configuration that one deployable runs with: the files it loads (`loading`), its entries by key (`lookups`), its
configuration centre (`centre`), and what holds under a profile or a deployment (`configuration`).
"""

from subdrift.linter.resolve.configuration.configuration import Configuration as Configuration
from subdrift.linter.resolve.configuration.surroundings import Surroundings as Surroundings
