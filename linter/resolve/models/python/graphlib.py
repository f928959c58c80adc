"""Graphs in order: https://docs.python.org/3/library/graphlib.html."""


class CycleError(ValueError):
    pass


class TopologicalSorter:
    def __init__(self, graph=None):
        self._needs = {}
        self._state = None
        for node, predecessors in (graph or {}).items():
            self.add(node, *predecessors)

    def add(self, node, *predecessors):
        self._needs.setdefault(node, []).extend(predecessors)
        for each in predecessors:
            self._needs.setdefault(each, [])

    def prepare(self):
        self._given, self._done = set(), set()
        self._state = list(self._layers())

    def _layers(self):
        """All nodes, those first that need nothing of what is left."""
        left = {node: set(needs) for node, needs in self._needs.items()}
        done = []
        ready = [node for node, needs in left.items() if not needs]
        while ready:
            yield ready
            done += ready
            more = []
            for gone in ready:
                for node, needs in left.items():
                    if gone in needs:
                        needs.discard(gone)
                        if not needs:
                            more.append(node)
            ready = more
        if len(done) < len(left):
            raise CycleError("nodes are in a cycle", [node for node in left if node not in done])

    def static_order(self):
        self.prepare()
        return iter([node for layer in self._state for node in layer])

    def is_active(self):
        return len(self._done) < len(self._needs)

    def get_ready(self):
        found = tuple(
            [
                node
                for node, needs in self._needs.items()
                if node not in self._given and all([each in self._done for each in needs])
            ]
        )
        self._given.update(found)
        return found

    def done(self, *nodes):
        self._done.update(nodes)

    def __bool__(self):
        return self.is_active()
