"""Signals: https://blinker.readthedocs.io."""

from contextlib import contextmanager

ANY = object()


class Signal:
    def __init__(self, doc=None):
        self.__doc__ = doc
        self.is_muted = False
        self._connected = []

    @property
    def receivers(self):
        return {place: receiver for place, (receiver, _) in enumerate(self._connected)}

    def connect(self, receiver, sender=ANY, weak=True):
        if not [True for one, of in self._connected if one == receiver and of is sender]:
            self._connected.append((receiver, sender))
        return receiver

    def connect_via(self, sender, weak=False):
        return lambda receiver: self.connect(receiver, sender, weak)

    @contextmanager
    def connected_to(self, receiver, sender=ANY):
        self.connect(receiver, sender)
        try:
            yield None
        finally:
            self.disconnect(receiver)

    @contextmanager
    def muted(self):
        self.is_muted = True
        try:
            yield None
        finally:
            self.is_muted = False

    def receivers_for(self, sender):
        return [one for one, of in self._connected if of is ANY or of is sender or of == sender]

    def has_receivers_for(self, sender):
        return bool(self.receivers_for(sender))

    def send(self, sender=None, /, **kwargs):
        if self.is_muted:
            return []
        return [(receiver, receiver(sender, **kwargs)) for receiver in self.receivers_for(sender)]

    def disconnect(self, receiver, sender=ANY):
        self._connected = [
            (one, of) for one, of in self._connected if one != receiver or (sender is not ANY and of is not sender)
        ]


class NamedSignal(Signal):
    def __init__(self, name, doc=None):
        super().__init__(doc)
        self.name = name


class Namespace(dict):
    def signal(self, name, doc=None):
        if name not in self:
            self[name] = NamedSignal(name, doc)
        return self[name]


default_namespace = Namespace()


def signal(name, doc=None):
    return default_namespace.signal(name, doc)
