"""Files of variables: https://saurabh-kumar.com/python-dotenv. One that is not in sight sets nothing."""

import os

from _native import variables


def find_dotenv(filename=".env", raise_error_if_not_found=False, usecwd=False):
    return filename


def dotenv_values(dotenv_path=".env", stream=None, verbose=False, interpolate=True, encoding="utf-8"):
    return variables(dotenv_path if stream is None else stream, True)


def load_dotenv(dotenv_path=".env", stream=None, verbose=False, override=False, interpolate=True, encoding="utf-8"):
    found = dotenv_values(dotenv_path, stream)
    for name, value in found.items():
        if override:
            os.environ[name] = value
        else:
            os.environ.setdefault(name, value)
    return bool(found)


def get_key(dotenv_path, key_to_get, encoding="utf-8"):
    return dotenv_values(dotenv_path).get(key_to_get)
