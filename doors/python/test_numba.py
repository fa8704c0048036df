"""numba's OpenMP layer on takt's OpenMP runtime: what it computes, and that takt's threads do it."""
import os

import numpy
import numba


@numba.njit(parallel=True)
def doubled_sum(values):
    total = 0.0
    for i in numba.prange(values.size):
        total += 2 * values[i]
    return total


@numba.njit(parallel=True)
def rows(matrix):
    sums = numpy.zeros(matrix.shape[0])
    for i in numba.prange(matrix.shape[0]):
        for j in numba.prange(matrix.shape[1]):
            sums[i] += matrix[i, j]
    return sums


@numba.vectorize(["float64(float64, float64)"], target="parallel")
def product(a, b):
    return a * b


def main():
    values = numpy.arange(100_000.0)
    for _ in range(20):
        assert doubled_sum(values) == values.size * (values.size - 1)
    matrix = values.reshape(1000, 100)
    assert (rows(matrix) == matrix.sum(axis=1)).all()
    assert (product(values, values) == values**2).all()
    assert numba.threading_layer() == "omp"
    threads = [open(f"/proc/self/task/{task}/comm").read().strip() for task in os.listdir("/proc/self/task")]
    assert threads.count("takt") == int(os.environ["TAKT_WORKERS"]) - 1, threads


main()
