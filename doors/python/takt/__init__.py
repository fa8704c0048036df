"""Parallel loops and calls on takt's workers.

The lock of the interpreter is free while takt waits, and taken for each call of a Python body. So bodies run at the same
time where they release it, as NumPy and hashlib do, in a free-threaded interpreter, or if they are native.
"""
import ctypes
import os

#: Where an installed package has its libraries.
LIBRARIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")


def _path():
    installed = os.path.join(LIBRARIES, "libtakt_c.so")
    return os.environ.get("TAKT_C_LIBRARY") or (installed if os.path.exists(installed) else "libtakt_c.so")


try:
    _library = ctypes.CDLL(_path())
except OSError as error:
    raise ImportError(f"takt: its C interface is missing ({error}): install the package, or set TAKT_C_LIBRARY") from None
if _library.takt_c_version() != 1:
    raise ImportError("takt: libtakt_c has another version than this module")

#: The type of a native body: body(argument, begin, end), for the iterations of [begin, end).
native_body = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)
_function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_library.takt_c_for.argtypes = [ctypes.c_uint64, ctypes.c_uint64, native_body, ctypes.c_void_p]
_library.takt_c_for.restype = None
_library.takt_c_join.argtypes = [_function, ctypes.c_void_p, _function, ctypes.c_void_p]
_library.takt_c_join.restype = None


def workers():
    """How many workers there are, the calling thread included."""
    return _library.takt_c_workers()


def parallel_for(first, last, body, argument=None):
    """Calls body(i) for every i in [first, last). All run; the exception of the lowest i that raised one is raised.

    A native body, a native_body of ctypes or one of Numba's cfunc(...).ctypes, is called for parts of [first, last),
    and gets the argument; no lock is taken for it. ValueError if that is not within 64 bits without a sign.
    """
    if isinstance(body, ctypes._CFuncPtr):
        if first < 0 or last >= 2**64:
            raise ValueError("takt: a native body counts from 0 to 2^64 - 1")
        _library.takt_c_for(first, max(first, last), ctypes.cast(body, native_body), argument)
        return
    errors = []

    def run(_, begin, end):
        for i in range(first + begin, first + end):
            try:
                body(i)
            except BaseException as error:
                errors.append((i, error))

    _library.takt_c_for(0, max(0, last - first), native_body(run), None)
    if errors:
        raise min(errors, key=lambda one: one[0])[1]


def parallel_map(function, items):
    """[function(item) for item in items]"""
    items = list(items)
    results = [None] * len(items)

    def one(i):
        results[i] = function(items[i])

    parallel_for(0, len(items), one)
    return results


def join(f, g):
    """(f(), g()), which may run at the same time. Both run; the exception of f goes before that of g."""
    results, errors = [None, None], [None, None]

    def branch(at, call):
        def run(_):
            try:
                results[at] = call()
            except BaseException as error:
                errors[at] = error
        return _function(run)

    _library.takt_c_join(branch(0, f), None, branch(1, g), None)
    for error in errors:
        if error is not None:
            raise error
    return tuple(results)
