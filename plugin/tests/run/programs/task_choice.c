// Which tasks are made is decided by a switch, a goto and a value that two ways merge.
#include <stdio.h>

static int pick(int n) {
  int part[4] = {0, 0, 0, 0};
  int round = 0;
again:
  switch ((n + round) % 4) {
    case 0:
#pragma omp task shared(part) firstprivate(n, round)
      part[0] += n + round;
      break;
    case 1:
#pragma omp task shared(part) firstprivate(n)
      part[1] += 2 * n;
      // Falls through.
    case 2:;
#pragma omp taskwait
#pragma omp task shared(part) firstprivate(n)
      part[2] += 3 * n;
      break;
    default:
      part[3] += n > 5 ? 4 : 5;
  }
  const int more = n > 3 || round == 0 ? round < 6 : round < 3;
  if (more) {
    round++;
    if (round % 4 == 0) {
#pragma omp taskwait
    }
    goto again;
  }
#pragma omp taskwait
  return part[0] + 10 * part[1] + 100 * part[2] + 1000 * part[3];
}

int main(void) {
  int got[8];
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; i++) got[i] = pick(i);
  for (int i = 0; i < 8; i++) printf("%d\n", got[i]);
}
// converted: 0 loops, 1 regions, 0 left
