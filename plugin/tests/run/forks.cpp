// Forks of the library in functions that call themselves, of every shape: which the plugin gives two versions, and
// which not. What it prints is what its serial elision prints.
#include <takt/takt.hpp>

#include <array>
#include <atomic>
#include <coroutine>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#define NOT_INLINED [[gnu::noinline]]

namespace {

template <class F, class G>
auto sum(F f, G g) {
  const auto [a, b] = takt::fork_join(std::move(f), std::move(g));
  return a + b;
}
template <class F, class G>
void both(const F& f, const G& g) {
  takt::fork_join([&] { f(); }, [&] { g(); });
}

// --- results

NOT_INLINED long fib(long n) {
  if (n < 2) return n;
  auto [a, b] = takt::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}
long fib_inlined(long n) {
  if (n < 2) return n;
  return sum([&] { return fib_inlined(n - 1); }, [&] { return fib_inlined(n - 2); });
}
template <class T>
T fib_of(T n) {
  if (n < T(2)) return n;
  return sum([=] { return fib_of<T>(n - T(1)); }, [=] { return fib_of<T>(n - T(2)); });
}

NOT_INLINED double integral(double left, double right, double at_left, double at_right, double area) {
  const double half = (right - left) * 0.5;
  const double middle = left + half;
  const double at_middle = (middle * middle + 1.0) * middle;
  const double area_left = (at_left + at_middle) * half * 0.5;
  const double area_right = (at_middle + at_right) * half * 0.5;
  const double off = area_left + area_right - area;
  if (off <= 1e-4 && off >= -1e-4) return area_left + area_right;
  return sum([=] { return integral(middle, right, at_middle, at_right, area_right); },
             [=] { return integral(left, middle, at_left, at_middle, area_left); });
}

struct moments {
  std::array<double, 8> of{};
};
NOT_INLINED moments moments_of(long from, long to) {
  moments all;
  if (to - from < 4) {
    for (long i = from; i < to; ++i) {
      double power = 1;
      for (double& x : all.of) {
        x += power;
        power *= static_cast<double>(i) / 64.0;
      }
    }
    return all;
  }
  const long middle = from + (to - from) / 2;
  auto [a, b] = takt::fork_join([=] { return moments_of(from, middle); }, [=] { return moments_of(middle, to); });
  for (std::size_t i = 0; i < 8; ++i) all.of[i] = a.of[i] + b.of[i];
  return all;
}

std::string word(int depth, char letter) {
  if (depth == 0) return std::string(1, letter);
  auto [a, b] = takt::fork_join([&] { return word(depth - 1, letter); },
                                [&] { return word(depth - 1, static_cast<char>(letter + 1)); });
  return a + "(" + b + ")";
}

std::unique_ptr<long> boxed(long n) {
  if (n < 2) return std::make_unique<long>(n);
  auto [a, b] = takt::fork_join([n] { return boxed(n - 1); }, [n] { return boxed(n - 2); });
  *a += *b;
  return std::move(a);
}

struct node {
  long value;
  std::unique_ptr<node> left, right;
};
std::unique_ptr<node> tree(long from, long to) {
  if (from == to) return nullptr;
  const long middle = from + (to - from) / 2;
  auto made = std::make_unique<node>(middle, nullptr, nullptr);
  takt::fork_join([&] { made->left = tree(from, middle); }, [&] { made->right = tree(middle + 1, to); });
  return made;
}
// With code on both sides of the fork, and a variable whose address goes along.
long weight(const node* at, long& depth) {
  if (at == nullptr) return 0;
  long left = depth + 1, right = depth + 1;
  const long all = sum([&] { return weight(at->left.get(), left); }, [&] { return weight(at->right.get(), right); });
  depth = left > right ? left : right;
  return all + at->value;
}

// --- several forks in one function

NOT_INLINED long three(long n) {
  if (n < 3) return n;
  auto [a, b, c] =
      takt::fork_join([n] { return three(n - 1); }, [n] { return three(n - 2); }, [n] { return three(n - 3); });
  return a + 2 * b + 3 * c;
}
void fill(std::vector<int>& at, std::size_t from, std::size_t to) {
  if (to - from < 4) {
    for (; from < to; ++from) at[from] += static_cast<int>(from);
    return;
  }
  const std::size_t step = (to - from) / 4;
  takt::fork_join([&, from] { fill(at, from, from + step); }, [&] { fill(at, from + step, from + 2 * step); },
                  [&] { fill(at, from + 2 * step, from + 3 * step); }, [&] { fill(at, from + 3 * step, to); });
}
// One or the other, then both again.
NOT_INLINED long either(long n, long m) {
  long all = 0;
  if (n > m && n > 3) {
    all = sum([=] { return either(n / 2, m); }, [=] { return either(n - n / 2, m); });
  } else if (m > 3) {
    all = sum([=] { return either(n, m / 2); }, [=] { return either(n, m - m / 2); });
  } else {
    return n * 7 + m;
  }
  if (n % 3 != 0) return all;
  return all + sum([=] { return either(n / 3, m / 2); }, [=] { return either(m / 2, n / 3); });
}
// More forks than are asked for at once.
NOT_INLINED long five(long n, long m) {
  if (n < 2) return n;
  if (m == 1) return sum([=] { return five(n - 1, 0); }, [=] { return five(n - 2, 3); });
  if (m == 2) return 3 * sum([=] { return five(n - 1, 1); }, [=] { return five(n - 2, 0); });
  if (m == 3) return 5 - sum([=] { return five(n - 1, 2); }, [=] { return five(n - 2, 4); });
  if (m == 4) return 7 + sum([=] { return five(n - 1, 3); }, [=] { return five(n - 2, 1); });
  return sum([=] { return five(n - 1, n % 5); }, [=] { return five(n - 2, m); });
}
NOT_INLINED long eight(long n) {
  if (n < 3) return n + 1;
  auto [a, b, c, d, e, f, g, h] =
      takt::fork_join([=] { return eight(n - 3); }, [=] { return eight(n - 4); }, [=] { return eight(n - 5); },
                      [=] { return eight(n / 2); }, [=] { return eight(n / 3); }, [=] { return eight(n / 4); },
                      [=] { return eight(n / 5); }, [=] { return eight(n - 6); });
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
NOT_INLINED long hinted_three(long n) {
  if (n < 3) return n;
  auto [a, b, c] = takt::fork_join(
      takt::work(static_cast<double>(n)), [=] { return hinted_three(n - 1); }, [=] { return hinted_three(n - 2); },
      [=] { return hinted_three(n - 3); });
  return a + 2 * b + 3 * c;
}
long looped(long n) {
  long all = 1;
  for (long i = 0; i < n; ++i) all += sum([=] { return looped(i / 2); }, [=] { return looped(i / 3); });
  return all;
}
// A branch with forks of its own, one of them in a loop.
long inside(long n) {
  if (n < 2) return 1;
  return sum(
      [=] {
        long all = 0;
        for (long i = 0; i < 2; ++i) all += sum([=] { return inside(n / 3 - i); }, [=] { return inside(n / 4); });
        return all;
      },
      [=] { return sum([=] { return inside(n / 2); }, [=] { return inside(n / 5); }); });
}
long even(long n);
NOT_INLINED long odd(long n) {
  return n < 1 ? 1 : sum([=] { return even(n - 1); }, [=] { return even(n - 2); });
}
NOT_INLINED long even(long n) {
  return n < 1 ? 2 : sum([=] { return odd(n - 1); }, [=] { return odd(n - 3); });
}

// --- effects in front of the fork

std::atomic<long> visits{0};
NOT_INLINED void visit(int depth) {
  visits.fetch_add(1, std::memory_order_relaxed);
  if (depth == 0) return;
  takt::fork_join([=] { visit(depth - 1); }, [=] { visit(depth - 1); });
}
struct counted {
  std::atomic<long>* open;
  explicit counted(std::atomic<long>& to) : open(&to) { open->fetch_add(1, std::memory_order_relaxed); }
  counted(const counted&) = delete;
  ~counted() { open->fetch_sub(1, std::memory_order_relaxed); }
};
std::atomic<long> open_ones{0};
NOT_INLINED long scoped(int depth) {
  const counted here(open_ones);
  if (depth == 0) return open_ones.load(std::memory_order_relaxed) > 0 ? 1 : 0;
  return sum([=] { return scoped(depth - 1); }, [=] { return scoped(depth - 1); });
}
// A constructor that only writes the object, and a destructor that is seen.
struct told {
  long n;
  std::atomic<long>* to;
  told(long given, std::atomic<long>& where) : n(given), to(&where) {}
  told(const told&) = delete;
  ~told() { to->fetch_add(n, std::memory_order_relaxed); }
};
std::atomic<long> heard{0};
NOT_INLINED void tell(long n) {
  const told here(n, heard);
  if (here.n < 2) return;
  takt::fork_join([n] { tell(n - 1); }, [n] { tell(n - 2); });
}
struct wide {
  std::array<long, 12> at;
};
// By value, in memory; changed in front of the fork.
NOT_INLINED long by_value(wide w) {
  w.at[0] -= 1;
  if (w.at[0] < 0) return w.at[3];
  w.at[3] += w.at[0];
  return sum([&] { return by_value(w); }, [&] { return by_value(wide{{w.at[0] - 1, 0, 0, w.at[3] + 1}}); });
}
NOT_INLINED long large_frame(long n) {
  std::array<long, 200> mine;
  std::iota(mine.begin(), mine.end(), n);
  if (n < 2) return mine[static_cast<std::size_t>(n)];
  const long all = sum([&] { return large_frame(n - 1); }, [&] { return large_frame(n - 2); });
  return all + mine[199] % 3;
}
NOT_INLINED long deep(long n) {
  if (n == 0) return 0;
  return sum([=] { return n % 3; }, [=] { return deep(n - 1); });
}

// --- exceptions

struct thrown {
  long where;
};
std::atomic<long> leaves{0};
NOT_INLINED long throwing(long from, long to, unsigned long who) {
  if (to - from == 1) {
    leaves.fetch_add(1, std::memory_order_relaxed);
    if ((who >> from & 1) != 0) throw thrown{from};
    return from;
  }
  const long middle = from + (to - from) / 2;
  return sum([=] { return throwing(from, middle, who); }, [=] { return throwing(middle, to, who); });
}
// Each level catches what comes from below it, sometimes.
NOT_INLINED long catching(long from, long to, unsigned long who) {
  const counted here(open_ones);
  if (to - from == 1) {
    if ((who >> from & 1) != 0) throw std::runtime_error(std::to_string(from));
    return from;
  }
  const long middle = from + (to - from) / 2;
  try {
    return sum([=] { return catching(from, middle, who); }, [=] { return catching(middle, to, who); });
  } catch (const std::runtime_error& error) {
    if ((to - from) % 4 != 0) throw;
    return 1000 + std::stol(error.what());
  }
}
NOT_INLINED long quiet(long n) noexcept {
  if (n < 2) return n;
  return sum([=]() noexcept { return quiet(n - 1); }, [=]() noexcept { return quiet(n - 2); });
}

// --- beside other things

long beside(long n) {
  if (n < 2) return n;
  std::atomic<long> all{0};
  takt::parallel_for(0L, n, [&](long i) { all.fetch_add(i, std::memory_order_relaxed); });
  takt::task_group group;
  group.run([&] { all.fetch_add(fib(n % 7), std::memory_order_relaxed); });
  const long more = sum([=] { return beside(n / 2); }, [=] { return beside(n / 3); });
  group.wait();
  return all.load() + more;
}
struct shape {
  virtual ~shape() = default;
  virtual long size(long n) const = 0;
};
struct halves final : shape {
  long size(long n) const override {
    if (n < 2) return 1;
    return sum([=, this] { return size(n / 2); }, [=, this] { return size(n - n / 2); });
  }
};
NOT_INLINED long hinted(long n) {
  if (n < 2) return n;
  auto [a, b] =
      takt::fork_join(takt::work(static_cast<double>(n)), [=] { return hinted(n - 1); }, [=] { return hinted(n - 2); });
  return a + b;
}
NOT_INLINED long many(int count, ...) {
  va_list list;
  va_start(list, count);
  const long first = va_arg(list, long);
  va_end(list);
  if (first < 2) return first;
  return sum([=] { return many(1, first - 1); }, [=] { return many(1, first - 2); });
}

// --- helpers with one caller that cannot be part of it

long from_list(long n);
long of_list(int count, ...) {
  va_list list;
  va_start(list, count);
  const long n = va_arg(list, long), m = va_arg(list, long);
  va_end(list);
  return sum([=] { return from_list(n - 1); }, [=] { return from_list(m - 2); });
}
NOT_INLINED long from_list(long n) { return n < 2 ? n : of_list(2, n, n); }

struct produced {
  struct promise_type {
    long value = 0;
    produced get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(long x) { value = x; }
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> made;
};
long from_coroutine(long n);
produced of_coroutine(long n) {
  co_return sum([=] { return from_coroutine(n - 1); }, [=] { return from_coroutine(n - 2); });
}
NOT_INLINED long from_coroutine(long n) {
  if (n < 2) return n;
  const produced one = of_coroutine(n);
  const long all = one.made.promise().value;
  one.made.destroy();
  return all;
}

long from_jump(long n);
long of_jump(long n) {
  std::jmp_buf here;
  volatile long turns = 0;
  if (setjmp(here) == 0) {
    turns = turns + 1;
    std::longjmp(here, 1);
  }
  const long all = sum([=] { return from_jump(n - 1); }, [=] { return from_jump(n - 2); });
  return all + turns;
}
NOT_INLINED long from_jump(long n) { return n < 2 ? n : of_jump(n); }

NOT_INLINED long jumping(long n) {
  static void* const where[] = {&&small, &&large};
  goto* where[n < 2 ? 0 : 1];
small:
  return n;
large:
  return sum([=] { return jumping(n - 1); }, [=] { return jumping(n - 2); });
}

void exceptions() {
  constexpr long k_leaves = 8;
  for (unsigned long who = 0; who < 1ul << k_leaves; ++who) {
    long got = -1;
    leaves = 0;
    try {
      got = throwing(0, k_leaves, who);
    } catch (const thrown& first) {
      got = 100 + first.where;
    }
#ifdef TAKT_ELISION
    // Whose plain calls end with the first.
    leaves = k_leaves;
#endif
    long caught = -1;
    try {
      caught = catching(0, k_leaves, who);
    } catch (const std::runtime_error& error) {
      caught = 5000 + std::stol(error.what());
    }
    // All have run, whatever was thrown; the first that was is reported.
    std::printf("%lx %ld %ld %ld %ld\n", who, got, leaves.load(), caught, open_ones.load());
  }
}

void all() {
  visits = 0;
  heard = 0;
  std::printf("fib %ld %ld %d %.1f\n", fib(20), fib_inlined(18), fib_of<short>(15), fib_of<float>(16));
  std::printf("integral %.9f\n", integral(0, 8, 0, 520, 0));
  for (const double x : moments_of(0, 500).of) std::printf("moment %.6f\n", x);
  std::printf("word %s\n", word(5, 'a').c_str());
  std::printf("boxed %ld\n", *boxed(15));
  const auto root = tree(0, 2000);
  long depth = 0;
  std::printf("tree %ld", weight(root.get(), depth));
  std::printf(" %ld\n", depth);
  std::printf("three %ld\n", three(12));
  std::vector<int> filled(5000);
  fill(filled, 0, filled.size());
  std::printf("fill %ld\n", std::accumulate(filled.begin(), filled.end(), 0L));
  std::printf("either %ld\n", either(60, 45));
  std::printf("five %ld eight %ld hinted_three %ld\n", five(15, 0), eight(14), hinted_three(11));
  std::printf("looped %ld\n", looped(14));
  std::printf("inside %ld\n", inside(200));
  std::printf("odd %ld\n", odd(20));
  visit(10);
  std::printf("visit %ld\n", visits.load());
  std::printf("scoped %ld %ld\n", scoped(9), open_ones.load());
  tell(14);
  std::printf("tell %ld\n", heard.load());
  std::printf("by_value %ld\n", by_value(wide{{14}}));
  std::printf("large_frame %ld\n", large_frame(14));
  std::printf("deep %ld\n", deep(2000));
  std::printf("quiet %ld\n", quiet(15));
  std::printf("beside %ld\n", beside(40));
  std::printf("virtual %ld\n", std::unique_ptr<shape>(new halves)->size(300));
  std::printf("hinted %ld\n", hinted(14));
  std::printf("many %ld\n", many(1, 14L));
  std::printf("jumping %ld\n", jumping(14));
  std::printf("helpers %ld %ld %ld\n", from_list(14), from_coroutine(14), from_jump(14));
  exceptions();
}

}  // namespace

int main() {
  all();
  // In a parallel call.
  takt::fork_join([] { all(); }, [] {});
}
