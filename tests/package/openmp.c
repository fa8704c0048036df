// A program that knows nothing of takt, for the installed taktcc. Exit code 0: the sum is right.
int main(void) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < 1000; ++i) sum += i;
  return sum == 499500 ? 0 : 1;
}
