"""What a call is remembered by: https://cachetools.readthedocs.io/en/stable/#module-cachetools.keys"""


def hashkey(*args, **kwargs):
    return (*args, *sorted(kwargs.items()))


def methodkey(self, *args, **kwargs):
    return hashkey(*args, **kwargs)


def typedkey(*args, **kwargs):
    return (*hashkey(*args, **kwargs), *[type(each) for each in args])
