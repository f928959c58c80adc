"""Objects that are put together: https://python-dependency-injector.ets-labs.org"""
