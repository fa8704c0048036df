// Named bodies, compiled twice with different flags: see variants_test.sh.
#include <takt/takt.hpp>

#include <functional>
#include <stdexcept>
#include <vector>

struct scale {
  double* x;
  void operator()(long i) const { x[i] = x[i] * 1.5 - 0.5; }
};
struct doubled {
  const double* x;
  double operator()(long i) const { return x[i] * 2.0; }
};
struct half {
  std::vector<double>* v;
  void operator()() const {
    const long n = static_cast<long>(v->size());
    takt::parallel_for(0l, n, scale{v->data()});
    takt::parallel_for(0l, n, 3l, scale{v->data()});
    takt::parallel_for(*v, [](double& x) { x *= 1.0; });
  }
};

// Types of the program's interface are the same in both files.
void run_in(takt::task_group& group, std::vector<double>& v);
double run_wide(takt::task_group& group, std::vector<double>& v);

static double run_all(takt::task_group& group, std::vector<double>& v) {
  takt::fork_join(half{&v}, half{&v});
  group.run(half{&v});
  group.wait();
  if (takt::current_config().workers == 0) return 0;
  return takt::parallel_reduce(0l, static_cast<long>(v.size()), 0.0, doubled{v.data()}, std::plus<>{});
}

#ifdef WIDE
double run_wide(takt::task_group& group, std::vector<double>& v) { return run_all(group, v); }
#else
int main() {
  // Never called, as a dispatcher on this CPU would have it, but linked.
  double (*volatile wide)(takt::task_group&, std::vector<double>&) = &run_wide;
  if (wide == nullptr) return 2;
  takt::task_group group;
  std::vector<double> v(20000, 1.0);
  return run_all(group, v) == 40000.0 ? 0 : 1;
}
#endif
