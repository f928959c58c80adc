"""What a parser refuses: https://docs.python.org/3/library/argparse.html. The rest is native code."""


class ArgumentTypeError(Exception):
    pass


class ArgumentError(Exception):
    def __init__(self, argument, message):
        self.argument_name = None
        self.message = message
