extern long x;

void other_add(long i) {
#pragma omp task in_reduction(+ : x)
  x += i;
}
