void other_throws(int x, long& sum) {
#pragma omp task shared(sum)
  {
#pragma omp atomic
    sum += x;
  }
  if (x % 3 == 0) throw 100 * x;
}
