"""What deployment files tell a program: what one says (`deployment`), and which concern a deployable (`deployments`)."""

from subdrift.linter.resolve.deployments.deployment import UNDECIDED as UNDECIDED
from subdrift.linter.resolve.deployments.deployment import Deployment as Deployment
from subdrift.linter.resolve.deployments.deployments import Deployments as Deployments
