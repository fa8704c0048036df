// Reductions over arrays of classes: those with a destructor are left alone.
#include "show.h"

struct counter {
  int count = 0;
  int* total;
  counter() : total(new int(0)) {}
  counter(const counter& other) : count(other.count), total(new int(*other.total)) {}
  ~counter() { delete total; }
  counter& operator+=(const counter& other) {
    count += other.count;
    *total += *other.total;
    return *this;
  }
};
#pragma omp declare reduction(plus : counter : omp_out += omp_in)

struct pair {
  int first = 0, second = 0;
  pair& operator+=(const pair& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};
#pragma omp declare reduction(plus : pair : omp_out += omp_in)

int main(int argc, char**) {
  counter counters[4];
#pragma omp parallel for reduction(plus : counters)
  for (int i = 0; i < n; ++i) {
    counters[i % 4].count += i;
    *counters[i % 4].total += 1;
  }
  counter* some = counters;
  const int length = 3 * argc;
#pragma omp parallel for reduction(plus : some[0 : length])
  for (int i = 0; i < n; ++i) {
    some[i % 3].count += i;
    *some[i % 3].total += 1;
  }
  for (const counter& c : counters) number("counter", c.count * 10000L + *c.total);
  pair pairs[6];
#pragma omp parallel for reduction(plus : pairs[1 : 4])
  for (int i = 0; i < n; ++i) pairs[1 + i % 4] += pair{};
  pair* more = pairs;
#pragma omp parallel for reduction(plus : more[1 : length])
  for (int i = 0; i < n; ++i) {
    more[1 + i % 3].first += i;
    more[1 + i % 3].second++;
  }
  for (const pair& p : pairs) number("pair", p.first * 10000L + p.second);
  return 0;
}
// converted: 2 loops, 0 regions, 2 left
