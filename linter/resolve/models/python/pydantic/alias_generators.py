"""Names in other cases: https://docs.pydantic.dev/latest/api/config/#pydantic.alias_generators"""

import re


def to_pascal(snake):
    return re.sub("([0-9A-Za-z])_(?=[0-9A-Z])", lambda match: match.group(1), snake.title())


def to_camel(snake):
    if re.match("^[a-z]+[A-Za-z0-9]*$", snake) and not re.search(r"\d[a-z]+", snake):
        return snake
    return re.sub("(^_*[A-Z])", lambda match: match.group(1).lower(), to_pascal(snake))
