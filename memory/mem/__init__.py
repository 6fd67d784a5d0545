"""``mem``: a bank on the terminal. ``arguments`` parse, ``commands`` act, ``people`` and ``programs``
write what came of it, ``failures`` has the exit codes and ``recognising`` says which error is which.
"""
