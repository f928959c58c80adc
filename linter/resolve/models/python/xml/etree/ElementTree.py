"""Documents of XML that are written: https://docs.python.org/3/library/xml.etree.elementtree.html."""

from _native import document_tree, unknown


class ParseError(SyntaxError):
    pass


class Element:
    def __init__(self, tag, attrib={}, **extra):
        self.tag = tag
        self.attrib = {**attrib, **extra}
        self.text = None
        self.tail = None
        self._children = []

    def get(self, key, default=None):
        return self.attrib.get(key, default)

    def set(self, key, value):
        self.attrib[key] = value

    def keys(self):
        return self.attrib.keys()

    def items(self):
        return self.attrib.items()

    def append(self, subelement):
        self._children.append(subelement)

    def extend(self, elements):
        self._children.extend(elements)

    def insert(self, index, subelement):
        self._children.insert(index, subelement)

    def remove(self, subelement):
        self._children.remove(subelement)

    def clear(self):
        self.attrib = {}
        self.text = self.tail = None
        self._children = []

    def __iter__(self):
        return iter(self._children)

    def __len__(self):
        return len(self._children)

    def __getitem__(self, index):
        return self._children[index]

    def iter(self, tag=None):
        found = [self] if tag in (None, "*", self.tag) else []
        for each in self._children:
            found.extend(each.iter(tag))
        return iter(found)

    def itertext(self):
        found = [self.text] if self.text else []
        for each in self._children:
            found.extend(each.itertext())
            if each.tail:
                found.append(each.tail)
        return iter(found)

    def findall(self, path, namespaces=None):
        if namespaces is not None or [True for sign in "{(=!" if sign in path.partition("[")[0]]:
            return unknown("path")
        found = [self]
        steps = path.replace("//", "/**/").split("/")
        below = False
        for step in steps:
            if step in ("", "."):
                continue
            if step == "**":
                below = True
                continue
            name, _, condition = step.partition("[")
            if name == ".." or "[" in condition or "/" in path.partition("[")[2]:
                return unknown("path")
            reached = []
            for each in found:
                inner = [one for one in each.iter() if one is not each] if below else list(each)
                reached.extend([one for one in inner if name in ("*", one.tag) and one not in reached])
            found, below = _kept(reached, condition.rstrip("]")), False
        return found

    def iterfind(self, path, namespaces=None):
        return iter(self.findall(path, namespaces))

    def find(self, path, namespaces=None):
        found = self.findall(path, namespaces)
        return found[0] if found else None

    def findtext(self, path, default=None, namespaces=None):
        found = self.find(path, namespaces)
        return default if found is None else found.text or ""

    def __repr__(self):
        return unknown("repr")


def _kept(elements, condition):
    """Those of some elements that what stands between brackets is true of."""
    if not condition:
        return elements
    name, equals, value = condition.partition("=")
    if condition.isdigit():
        return elements[int(condition) - 1 : int(condition)]
    if not name.startswith("@"):
        return unknown("path")
    name, value = name[1:].strip(), value.strip().strip("'\"")
    return [each for each in elements if name in each.attrib and (not equals or each.attrib[name] == value)]


class ElementTree:
    def __init__(self, element=None):
        self._root = element

    def getroot(self):
        return self._root

    def find(self, path, namespaces=None):
        return self._root.find(path, namespaces)

    def findall(self, path, namespaces=None):
        return self._root.findall(path, namespaces)

    def iter(self, tag=None):
        return self._root.iter(tag)


def SubElement(parent, tag, attrib={}, **extra):
    made = Element(tag, attrib, **extra)
    parent.append(made)
    return made


def _made(told):
    tag, attrib, text, tail, children = told
    made = Element(tag, attrib)
    made.text, made.tail = text, tail
    made._children = [_made(each) for each in children]
    return made


def fromstring(text, parser=None):
    told = document_tree(text)
    if told is None:
        raise ParseError(unknown("message"))
    return _made(told)


XML = fromstring
