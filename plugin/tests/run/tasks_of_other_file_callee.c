long other_fib(int x) {
  if (x < 2) return x;
  long a, b;
#pragma omp task shared(a)
  a = other_fib(x - 1);
  b = other_fib(x - 2);
#pragma omp taskwait
  return a + b;
}

void other_step(long *x, int digit) {
#pragma omp task depend(inout : x[0])
  *x = *x * 7 % 1000003;
#pragma omp task depend(inout : x[0])
  *x += other_fib(digit % 7);
}

void other_leave(long *sum, int many) {
  for (int i = 0; i < many; ++i) {
#pragma omp task
    {
#pragma omp atomic
      *sum += i;
    }
  }
}
