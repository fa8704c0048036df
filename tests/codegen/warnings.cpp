// Callables with members that are never written, because they are empty: the loops copy them without a warning.
#include <takt/takt.hpp>

#include <functional>

namespace {

struct empty {
  int operator()(int x) const { return x + 1; }
};
struct two_empty : empty {
  std::less<> less;
};

template <class Empty>
struct body {
  int* p;
  Empty e;
  void operator()(int i) const { p[i] = e(i); }
};

}  // namespace

void copied(int n, int* p) {
  body<empty> b;
  b.p = p;
  takt::parallel_for(0, n, body(b));
}

void moved(int n, int* p) {
  body<two_empty> b;
  b.p = p;
  takt::parallel_for(0, n, std::move(b));
}

int reduced(int n, int* p) {
  empty e;
  return takt::parallel_reduce(0, n, 0, [e, p](int i) { return p[e(i)]; }, std::plus<>{});
}
