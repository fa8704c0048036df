import ctypes
import hashlib
import os
import sys
import threading
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import takt


class Takt(unittest.TestCase):
    def test_a_loop_calls_each_iteration_once(self):
        hits = [0] * 5000
        def hit(i):
            hits[i] += 1
        takt.parallel_for(0, 5000, hit)
        self.assertEqual(hits, [1] * 5000)
        seen = []
        takt.parallel_for(-3, 2, seen.append)
        self.assertEqual(sorted(seen), [-3, -2, -1, 0, 1])
        takt.parallel_for(5, 0, self.fail)

    def test_what_releases_the_lock_runs_in_parallel_and_is_right(self):
        blocks = [bytes([i]) * 100000 for i in range(64)]
        digest = lambda block: hashlib.sha256(block).digest()
        self.assertEqual(takt.parallel_map(digest, blocks), [digest(block) for block in blocks])

    # Two bodies wait for each other: a loop that held the lock, or ran on one thread, would never end.
    def test_bodies_run_at_the_same_time(self):
        if takt.workers() < 2:
            self.skipTest("one worker")
        both = threading.Barrier(2, timeout=60)
        takt.parallel_for(0, 2, lambda i: both.wait())

    def test_calls_nest_and_stay_on_their_thread(self):
        total = []
        def outer(i):
            before = threading.get_ident()
            takt.parallel_for(0, 20, lambda j: total.append(i * j))
            self.assertEqual(threading.get_ident(), before)
        takt.parallel_for(0, 20, outer)
        self.assertEqual(sum(total), 190 * 190)

        def fib(n):
            return n if n < 2 else sum(takt.join(lambda: fib(n - 1), lambda: fib(n - 2)))
        self.assertEqual(fib(12), 144)

    def test_the_first_exception_is_raised_and_all_run(self):
        ran = []
        def body(i):
            ran.append(i)
            if i in (30, 70):
                raise ValueError(i)
        with self.assertRaises(ValueError) as raised:
            takt.parallel_for(0, 100, body)
        self.assertEqual(raised.exception.args, (30,))
        self.assertEqual(len(ran), 100)
        with self.assertRaises(ZeroDivisionError):
            takt.join(lambda: 1, lambda: 1 // 0)

    def test_a_native_body_gets_parts_and_its_argument(self):
        sums = (ctypes.c_uint64 * 1000)()
        @takt.native_body
        def body(argument, begin, end):
            out = ctypes.cast(argument, ctypes.POINTER(ctypes.c_uint64))
            for i in range(begin, end):
                out[i] += i
        takt.parallel_for(0, 1000, body, ctypes.cast(sums, ctypes.c_void_p))
        self.assertEqual(list(sums), list(range(1000)))
        for first, last in ((-10, 10), (-10, 0), (0, 2**64)):
            with self.assertRaises(ValueError):
                takt.parallel_for(first, last, body)
        takt.parallel_for(5, -1, body)


if __name__ == "__main__":
    unittest.main()
