"""What one file says, path-free: equal bytes give equal facts, so a cache entry serves every copy of a file.

`FileFacts` is the only thing that leaves extraction. Nothing in it is resolved; everything in it has a span.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, IntEnum

from msgspec import Struct

from subdrift.linter.model.expr import Expr, Items
from subdrift.linter.model.ir import Unit
from subdrift.linter.model.location import Origin, Span
from subdrift.linter.model.message import PHRASE_BEGINS, Message


class Attribute(Enum):
    """A property of a consumer that code can set."""

    GROUP = "group"
    NAMESPACE = "namespace"
    NAMESPACE_V2 = "namespace_v2"
    MESSAGE_MODEL = "message_model"
    CONSUME_MODE = "consume_mode"
    INSTANCE_NAME = "instance_name"
    UNIT_NAME = "unit_name"
    NAME_SERVER = "name_server"
    CONSUME_FROM = "consume_from"
    STRATEGY = "strategy"
    POST_SUBSCRIPTION = "post_subscription"
    ENABLED = "enabled"


class Setting(Struct, frozen=True):
    """One attribute set on a consumer. Later settings of one attribute replace earlier ones."""

    attribute: Attribute
    value: Expr
    at: Span


class SubscriptionSite(Struct, frozen=True):
    """One declared subscription of a consumer.

    `at` is the line a reader calls the subscription (decided per API). A None expression or type means "not
    written": the API's default holds.
    """

    at: Span
    topic: Expr
    expression: Expr | None
    filter_type: Expr | None


class Condition(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """Why a site may not run: kind and text, e.g. ("profile", "dev"), ("property", "mq.enabled=true"),
    ("not-a-bean", ""), ("never-started", ""), ("not-reached", "…"), ("disabled", "…")."""

    kind: str
    text: str
    at: Span
    origin: Origin | None = None
    """The file of `at`; None: that of the consumer."""

    @property
    def written(self) -> bool:
        """Whether the text is code and not words of the analysis."""
        return PHRASE_BEGINS not in self.text


class ConsumerSite(Struct, frozen=True):
    """One place that declares a consumer: an annotated class, keys of configuration.

    `api` names a row of `linter.model.api.APIS`. `symbol` is the enclosing declaration (`com.acme.OrderListener` of an
    annotated class), `type` the type whose instances it makes ("" when none). `broken`: recovered next to a syntax error.
    `tags`: what its code compares the tags of messages with.
    """

    api: str
    at: Span
    symbol: str
    type: str
    settings: tuple[Setting, ...]
    subscriptions: tuple[SubscriptionSite, ...]
    conditions: tuple[Condition, ...] = ()
    broken: bool = False
    tags: tuple[Expr, ...] = ()


class AnnotationUse(Struct, frozen=True):
    """An annotation or decorator: candidate full names and its written arguments ("value" for the lone one).

    Several that Kotlin gives by position are one list "value" that stands where the annotation does.
    """

    candidates: tuple[str, ...]
    args: tuple[tuple[str, Expr], ...]
    at: Span

    def argument(self, name: str) -> Expr | None:
        return next((value for key, value in self.args if key == name), None)

    def declared_as(self, names: Sequence[str]) -> AnnotationUse:
        """The same use of an annotation that declares these attributes: what is given by position has a name too."""
        written = self.argument("value")
        several = isinstance(written, Items) and written.at == self.at
        if written is None or not names or (not several and "value" in names):
            return self
        given = written.items if isinstance(written, Items) and several and len(names) > 1 else (written,)
        if len(given) > len(names):  # the last takes any number
            given = (*given[: len(names) - 1], Items(given[len(names) - 1 :], self.at))
        rest = (each for each in self.args if each[0] != "value")
        return AnnotationUse(self.candidates, (*zip(names[: len(given)], given, strict=True), *rest), self.at)


class TypeKind(Enum):
    CLASS = "class"
    INTERFACE = "interface"
    ENUM = "enum"
    RECORD = "record"
    ANNOTATION = "annotation"
    MODULE = "module"  # the class that the JVM has for what a Kotlin file declares outside of classes


class Field(Struct, frozen=True):
    """A constant, field, enum constant, record component or annotation attribute.

    `type` holds candidate names of the declared type (its last type argument follows for collections in
    `element`). `value` is the initialiser of a constant, the default of an attribute; None for what code may change.
    An enum constant's value is a `New` of its enum. `static` for class-level constants.
    """

    name: str
    type: tuple[str, ...]
    element: tuple[str, ...]
    value: Expr | None
    static: bool
    final: bool
    annotations: tuple[AnnotationUse, ...]
    at: Span


class Method(Struct, frozen=True):
    """A method or constructor (`<init>`) as it is declared; its body is in the unit.

    `returns` is what its return statements say where somebody asks for that: a method that makes a bean, selects imports,
    or gives a name to a superclass; of a constructor, what it hands to the superclass's. `abstract`: without a body.
    """

    name: str
    returns: Expr | None
    return_type: tuple[str, ...]
    static: bool
    abstract: bool
    annotations: tuple[AnnotationUse, ...]
    at: Span


class Type(Struct, frozen=True):
    """A declared type with its members; supertypes and annotations as candidate names. `inner`: its objects need one
    of the type around it."""

    name: str
    kind: TypeKind
    supers: tuple[tuple[str, ...], ...]
    annotations: tuple[AnnotationUse, ...]
    fields: tuple[Field, ...]
    methods: tuple[Method, ...]
    abstract: bool
    at: Span
    inner: bool = False


class Application(Struct, frozen=True):
    """A Spring application that code starts. `sources` are the candidate names of its configuration classes.

    `settings` are what the code sets before: ("system", key) a system property, ("argument", key) of the command line,
    ("default", key) a default property, ("profiles", "") additional profiles, ("added", key) of a property source that
    the code makes, or a system property, in a method that need not be the one that starts (`mq.*`: below a prefix),
    ("beans", file) a bean file that a context of its own is made of, ("file", file) settings that a bean of the application
    fills placeholders from, ("uses", type) a type whose code may set more; None where a value is not written out.
    """

    sources: tuple[tuple[str, ...], ...]
    settings: tuple[tuple[str, str, str | None], ...]
    symbol: str
    at: Span


class ConfigEntry(Struct, frozen=True):
    """One configuration key as written, path-free: lists as `key[0]`, maps dotted, text not interpolated.

    `profiles` are those its document is activated on (`spring.config.activate.on-profile`); empty: always.
    `document` counts the documents of a YAML file from 0: later ones win. `file` names the file inside a
    Kubernetes ConfigMap that holds the key, "" where it is this file itself; `holder` is the ConfigMap's name.
    """

    key: str
    text: str
    profiles: tuple[str, ...]
    document: int
    at: Span
    file: str = ""
    holder: str = ""


class Told(IntEnum):
    """How a process is told a setting; the lower one wins, as Spring Boot ranks its sources."""

    ARGUMENT = 0
    JSON = 1
    PROPERTY = 2
    VARIABLE = 3
    BASE = 4  # the service that this one extends, or is laid over
    FILE = 5  # a file of variables, or a ConfigMap, that a service names
    IMAGE = 6  # what the image sets that a service is built from
    CONTEXT = 7  # nothing: where an image is built


class EnvEntry(Struct, frozen=True):
    """A deployment file that sets (or takes from outside: `text` None) an environment variable, or a key by another way.

    `environment` names the alternative where the file says so (a values file's suffix), else "". `process` names
    the service or workload that gets it, "" where the file is about one process or does not say. `template` is what a
    chart makes the text of, with `{{path}}` for each of its values (the text is None then), or what a compose file fills
    variables into. `holder` is the ConfigMap that keeps it.
    """

    variable: str
    text: str | None
    environment: str
    at: Span
    process: str = ""
    template: str = ""
    told: Told = Told.VARIABLE
    holder: str = ""


class Launch(Struct, frozen=True):
    """A command line by which a deployment file starts a program, as a shell splits it. `process` as in `EnvEntry`.

    An image keeps the first `kept` words where a service says a command of its own, which is `added` behind them.
    """

    words: tuple[str, ...]
    at: Span
    process: str = ""
    kept: int = 0
    added: bool = False


class Mount(Struct, frozen=True):
    """A file or folder of the repository that a deployment file puts into a container, or whose variables it hands to it
    (`told` says which way). `source` is relative to the deployment file, or names a ConfigMap (`configmap:name`); `target` is
    the folder that an image is built in where `source` is its Dockerfile, the service that is extended (of `source`, ""
    for the file itself), and what variables of a ConfigMap begin with. `process` as in `EnvEntry`."""

    source: str
    target: str
    at: Span
    process: str = ""
    told: Told | None = None


class Dependency(Struct, frozen=True):
    """What a module takes in. `coordinate` is `group:artifact` (Maven, Gradle), `:path` (a Gradle subproject)
    or a normalised distribution name (Python); version as written, placeholders included, "" when managed elsewhere."""

    coordinate: str
    version: str
    at: Span
    test: bool = False


class ResourceFolder(Struct, frozen=True):
    """A folder a Maven build copies resources from, relative to the module; `includes` and `excludes` are its patterns.

    `filtered`: its placeholders are replaced by properties of the build. `target` is the folder on the class path.
    """

    directory: str
    filtered: bool
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    target: str = ""


BOOT_PARENT = "org.springframework.boot:spring-boot-starter-parent"


class BuildFile(Struct, frozen=True):
    """A Maven, Gradle or Python build file. Texts may hold `${property}`; `resolve.modules` applies them.

    `coordinate` is `group:artifact` as far as written ("" parts inherit from `parent`). `modules` are relative
    folders. `managed` are dependencyManagement/platform entries and imported BOMs. `runs`: has a Spring Boot
    or application plugin, entry points, or a main class configured. `aggregates`: packaging pom. `filters` are the
    property files Maven fills resources from: build profile ("" where none has to be named) and path. `inherited` is
    what a Gradle script declares for the projects below it (`subprojects`, `allprojects`). `resources` are Maven's
    resource folders where the pom names any; `delimiters` what it writes around build properties: `@` for `@x@`,
    `$` for `${x}`, "" where it does not say. `varied` are the properties that profiles of the build set.
    """

    kind: str  # maven | gradle | gradle-settings | gradle-catalogue | python
    coordinate: str
    version: str
    parent: Dependency | None
    parent_path: str
    modules: tuple[str, ...]
    dependencies: tuple[Dependency, ...]
    managed: tuple[Dependency, ...]
    properties: tuple[tuple[str, str], ...]
    runs: bool
    aggregates: bool
    at: Span
    filters: tuple[tuple[str, str], ...] = ()
    inherited: tuple[Dependency, ...] = ()
    resources: tuple[ResourceFolder, ...] = ()
    delimiters: str = ""
    name: str = ""
    varied: tuple[str, ...] = ()


class Suppression(Struct, frozen=True):
    """`subdrift: ignore[rule, …] reason` in a comment; it speaks for `line` (its own, and the next if alone)."""

    rules: tuple[str, ...]
    reason: str
    lines: tuple[int, ...]
    at: Span


class OwnedFiles(Struct, frozen=True):
    """One line of a CODEOWNERS file: who owns what its pattern matches, nobody where `owners` is empty. The last line
    that matches a file counts."""

    pattern: str
    owners: tuple[str, ...]
    at: Span


class Problem(Struct, frozen=True):
    """A diagnostic before it has a path: name from `linter.model.finding.DIAGNOSTICS`, a sentence, what helps."""

    name: str
    message: Message
    help: Message | None
    at: Span


class FileFacts(Struct, frozen=True):
    """Everything one file says, a function of its bytes alone. `package` is that of a language of the JVM, `imports` are the
    full names its file imports; `runs`: has a main method, a Spring Boot application class, or Python's
    `if __name__ == "__main__"`. `functional` names Spring Cloud Function beans (bean name, kind:
    consumer|function|supplier, span). `unit` is the lowered file where it is source code: what it does is found by running
    that. `text` is a settings file as a whole document (`extract.documents`), "" where it is large or read as entries only.
    """

    language: str  # java | kotlin | python | config | xml | build | deploy | owners
    package: str = ""
    imports: tuple[str, ...] = ()
    types: tuple[Type, ...] = ()
    sites: tuple[ConsumerSite, ...] = ()
    config: tuple[ConfigEntry, ...] = ()
    environment: tuple[EnvEntry, ...] = ()
    build: BuildFile | None = None
    functional: tuple[tuple[str, str, Span], ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    problems: tuple[Problem, ...] = ()
    runs: bool = False
    applications: tuple[Application, ...] = ()
    unit: Unit | None = None
    owned: tuple[OwnedFiles, ...] = ()
    text: str = ""
    launches: tuple[Launch, ...] = ()
    mounts: tuple[Mount, ...] = ()

    @property
    def on_jvm(self) -> bool:
        """Whether it is source code of a language of the JVM."""
        return self.language in ("java", "kotlin")
