"""Applications of Flask without requests: https://flask.palletsprojects.com. Who serves may call what is registered."""

import contextlib
import importlib

from _native import unknown

_apps = []
_current = []


class Config(dict):
    def from_mapping(self, mapping=None, **kwargs):
        for key, value in {**(mapping or {}), **kwargs}.items():
            if key.isupper():
                self[key] = value
        return True

    def from_object(self, obj):
        if isinstance(obj, str):
            module, _, name = obj.rpartition(".")
            obj = getattr(importlib.import_module(module), name) if module else importlib.import_module(obj)
        for key in dir(obj):
            if key.isupper():
                self[key] = getattr(obj, key)

    def from_file(self, filename, load, silent=False, text=True):
        with open(filename, "r" if text else "rb") as file:
            return self.from_mapping(load(file))

    def from_prefixed_env(self, prefix="FLASK", *, loads=None):
        self.update(unknown("environment"))

    def from_pyfile(self, filename, silent=False):
        self.update(unknown("from_pyfile()"))

    def from_envvar(self, variable_name, silent=False):
        self.update(unknown("from_envvar()"))

    def get_namespace(self, namespace, lowercase=True, trim_namespace=True):
        found = {}
        for key, value in self.items():
            if key.startswith(namespace):
                key = key[len(namespace) :] if trim_namespace else key
                found[key.lower() if lowercase else key] = value
        return found


def _served(function):
    """What a server, or a command line, may call."""
    unknown("flask")(function)
    return function


class _Group:
    """The commands of an application."""

    def command(self, *args, **kwargs):
        return _served

    group = command

    def add_command(self, cmd, name=None):
        pass


class Scaffold:
    def __init__(self, import_name):
        self.import_name = import_name
        self.cli = _Group()

    def route(self, rule, **options):
        return _served

    get = post = put = delete = patch = errorhandler = endpoint = route
    register_error_handler = add_url_rule = lambda self, *args, **options: None

    def _hook(self, function):
        return _served(function)

    before_request = after_request = teardown_request = context_processor = url_defaults = _hook


class BlueprintSetupState:
    def __init__(self, blueprint, app, options, first_registration):
        self.app = app
        self.blueprint = blueprint
        self.options = options
        self.first_registration = first_registration
        self.url_prefix = options.get("url_prefix") or blueprint.url_prefix
        self.subdomain = options.get("subdomain")

    def add_url_rule(self, rule, endpoint=None, view_func=None, **options):
        pass


class Blueprint(Scaffold):
    def __init__(self, name, import_name, static_folder=None, url_prefix=None, **options):
        super().__init__(import_name)
        self.name = name
        self.url_prefix = url_prefix
        self._deferred = []
        self._nested = []
        self._registered = False

    def record(self, func):
        self._deferred.append((func, False))

    def record_once(self, func):
        self._deferred.append((func, True))

    def register_blueprint(self, blueprint, **options):
        self._nested.append((blueprint, options))

    def register(self, app, options):
        state = BlueprintSetupState(self, app, options, not self._registered)
        self._registered = True
        for function, once in self._deferred:
            if state.first_registration or not once:
                function(state)
        for blueprint, inner in self._nested:
            app.register_blueprint(blueprint, **inner)

    before_app_request = after_app_request = teardown_app_request = app_errorhandler = Scaffold._hook


class Flask(Scaffold):
    def __init__(self, import_name, **options):
        super().__init__(import_name)
        self.name = unknown("name") if import_name == "__main__" else import_name
        self.config = Config(DEBUG=False, TESTING=False, SECRET_KEY=None)
        self.extensions = {}
        self.blueprints = {}
        self.debug = False
        self._teardown = []
        _apps.append(self)

    @property
    def logger(self):
        import logging

        return logging.getLogger(self.name)

    @property
    def testing(self):
        return self.config["TESTING"]

    def register_blueprint(self, blueprint, **options):
        self.blueprints[options.get("name", blueprint.name)] = blueprint
        blueprint.register(self, options)

    def teardown_appcontext(self, f):
        self._teardown.append(f)
        return f

    @contextlib.contextmanager
    def app_context(self):
        _current.append(self)
        try:
            yield self
        finally:
            _current.pop()
            for function in reversed(self._teardown):
                function(None)

    def test_request_context(self, *args, **kwargs):
        return self.app_context()

    def run(self, host=None, port=None, debug=None, load_dotenv=True, **options):
        pass

    def shell_context_processor(self, f):
        return f


class _CurrentApp:
    """The application whose context is open; outside of one it is the only one there is, as for code that serves."""

    def _get_current_object(self):
        if _current:
            return _current[-1]
        return _apps[0] if len(_apps) == 1 else unknown("current_app")

    def __getattr__(self, name):
        return getattr(self._get_current_object(), name)


current_app = _CurrentApp()


def has_app_context():
    return bool(_current)


def jsonify(*args, **kwargs):
    return unknown("jsonify()")
