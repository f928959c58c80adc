"""The configuration centre of a deployable, and whether it bootstraps."""

from __future__ import annotations

from functools import cached_property

from subdrift.linter.resolve.configuration.lookups import Lookups
from subdrift.linter.resolve.environment import Entry, Layer

CENTRES = ("nacos", "apollo", "consul", "zookeeper", "polaris", "kubernetes")

_CENTRE_IMPORTS = (*CENTRES, "configserver", "vault")

_CENTRE_ARTIFACTS = {
    "spring-cloud-starter-alibaba-nacos-config": "nacos",
    "nacos-config-spring-boot-starter": "nacos",
    "apollo-client": "apollo",
    "apollo-client-config-data": "apollo",
    "spring-cloud-starter-config": "the config server",
    "spring-cloud-config-client": "the config server",
    "spring-cloud-starter-consul-config": "consul",
    "spring-cloud-starter-zookeeper-config": "zookeeper",
    "spring-cloud-starter-tencent-polaris-config": "polaris",
}

_BOOTSTRAPPING = ("spring-cloud-starter-bootstrap",)

_KNOWN_GROUPS = (
    "org.springframework", "org.apache.", "com.alibaba", "org.projectlombok", "mysql", "com.mysql", "org.mybatis",
    "com.baomidou", "junit", "org.junit", "io.netty", "com.google", "com.fasterxml", "cn.hutool", "redis.clients",
    "org.redisson", "io.micrometer", "ch.qos", "org.slf4j", "io.springfox", "io.swagger", "com.github",
)  # fmt: skip
"""Groups of public libraries that bring no bootstrap starter in."""


class Centre(Lookups):
    """Knows by build files and entries which configuration centre answers beside files."""

    @cached_property
    def boot(self) -> tuple[int, ...] | None:
        """The version of Spring Boot, None where the build does not tell."""
        return self._modules.boot_version(self._deployable)

    @cached_property
    def centre(self) -> str:
        """The configuration centre the deployable reads at run time, "" for none."""
        for centre in (*CENTRES, ""):
            stem = f"spring.cloud.{centre}.config" if centre else "spring.cloud.config"
            keys = [e for e in self.below(stem) if not e.key.startswith("spring.cloud.config.server")]
            stems = (stem, f"{centre}.config", *(("apollo.bootstrap",) if centre == "apollo" else ()))
            keys += [e for other in stems[1:] if centre for e in self.below(other)]
            if centre == "apollo":
                keys += self.candidates("apollo.meta", loosely=True)
            if keys and not any(self._says(f"{each}.enabled", "false") for each in stems):
                return centre or "the config server"
        for entry in (
            *self.candidates("spring.config.import", loosely=True),
            *self.below("spring.config.import"),
        ):
            for centre in _CENTRE_IMPORTS:
                if f"{centre}:" in entry.text:
                    return "the config server" if centre == "configserver" else centre
        for key in self._deployable.takes_in:
            module = self._modules.modules.get(key)
            for dependency in module.dependencies if module else ():
                centre = _CENTRE_ARTIFACTS.get(dependency.coordinate.rpartition(":")[2], "")
                stem = f"spring.cloud.{centre}.config" if centre in CENTRES else "spring.cloud.config"
                if centre and not dependency.test and not self._says(f"{stem}.enabled", "false"):
                    return centre
        return ""

    def _says(self, key: str, text: str) -> bool:
        found = next((e for e in self.candidates(key, loosely=True) if not e.when), None)
        return found is not None and found.text.strip().lower() == text

    def is_loaded(self, entry: Entry) -> bool:
        """Whether a file is read at all: one for the bootstrap context only where there is such a context."""
        return entry.layer is not Layer.BOOTSTRAP or self.bootstraps

    @cached_property
    def bootstraps(self) -> bool:
        """Whether `bootstrap` files are read: since Spring Boot 2.4 only with a starter for them.

        A dependency from outside the run may bring that starter in; only known groups surely do not.
        """
        if self.boot is None or self.boot < (2, 4) or not self.applications:
            return True
        for key in self._deployable.takes_in:
            for dependency in self._modules.modules[key].dependencies:
                group, _, artifact = dependency.coordinate.rpartition(":")
                if dependency.test or self._modules.is_own(dependency.coordinate):
                    continue
                if artifact in _BOOTSTRAPPING or not group.startswith(_KNOWN_GROUPS):
                    return True
        return False
