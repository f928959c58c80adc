"""The client version a deployable runs, from its build files."""

from __future__ import annotations

import re

from subdrift.linter.model.api import Api
from subdrift.linter.resolve.modules import Deployable, Modules

_BUNDLED = {
    # rocketmq-spring-boot-starter -> the classic client its build file names
    "2.0.0": "4.3.2",
    "2.0.1": "4.3.2",
    "2.0.2": "4.4.0",
    "2.0.3": "4.5.1",
    "2.0.4": "4.5.2",
    "2.1.0": "4.6.0",
    "2.1.1": "4.7.1",
    "2.2.0": "4.8.0",
    "2.2.1": "4.9.1",
    "2.2.2": "4.9.3",
    "2.2.3": "5.0.0",
    "2.3.0": "5.2.0",
    "2.3.1": "5.3.0",
    "2.3.2": "5.3.1",
    "2.3.3": "5.3.1",
    "2.3.4": "5.3.2",
    "2.3.5": "5.3.2",
}

_CLASSIC_STARTER = "org.apache.rocketmq:rocketmq-spring-boot-starter"
_STARTERS = (_CLASSIC_STARTER, "org.apache.rocketmq:rocketmq-spring-boot")
_VERSION = re.compile(r"\d+(?:\.\d+)*")


def client_version(api: Api, modules: Modules, deployable: Deployable) -> str | None:
    """The version of the client library, None when no build file of the run tells.

    What the analysed repository pins comes first, the client itself before the one its starter brings: the head of a
    library that happens to be in the same run is not what this repository runs with. (rocketmq-spring only; a
    dependency management that lies outside the run may override it, which nothing here can see.)
    """
    for own in (True, False):
        declared = modules.version_of(deployable, api.artifacts, own)
        if declared is not None:
            number = _VERSION.search(declared[0])
            return number[0] if number else None
        if api.starter == _CLASSIC_STARTER:
            starter = modules.version_of(deployable, _STARTERS, own)
            if starter is not None:
                return _BUNDLED.get(starter[0])
    return None
