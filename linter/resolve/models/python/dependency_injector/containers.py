"""Providers by name: https://python-dependency-injector.ets-labs.org/containers/"""

from dependency_injector.providers import Provider, Resource, Singleton

_wired = []
"""The containers that functions get what they are injected from, the last one last."""


class WiringConfiguration:
    def __init__(self, modules=(), packages=(), from_package=None, auto_wire=True, **others):
        self.auto_wire = auto_wire


class DeclarativeContainer:
    wiring_config = None

    def __init__(self, **overriding):
        self._copies = []
        self.providers = {}
        for name in dir(type(self)):
            held = getattr(type(self), name)
            if isinstance(held, Provider):
                made = held._copy(self._copies)
                self.providers[name] = made
                self.__dict__[name] = made
        self.override_providers(**overriding)
        if self.wiring_config is not None and self.wiring_config.auto_wire:
            self.wire()

    def _own(self, provider):
        """What this container has for a provider of its class; None where it is not of it."""
        for old, new in self._copies:
            if old is provider:
                return new
        return None

    def override_providers(self, **overriding):
        for name in overriding:
            given = overriding[name]
            self.providers[name].override(given)

    def wire(self, modules=(), packages=(), **others):
        _wired.append(self)

    def unwire(self):
        _wired.remove(self)

    def init_resources(self, *others):
        for name in self.providers:
            if isinstance(self.providers[name], Resource):
                self.providers[name].init()

    def shutdown_resources(self, *others):
        pass

    def reset_singletons(self):
        for name in self.providers:
            if isinstance(self.providers[name], Singleton):
                self.providers[name].reset()


DynamicContainer = DeclarativeContainer


def copy(container):
    return lambda cls: cls


override = copy
