// The example of the paper on space-efficient Cilk (Hickey and Quentmeyer, section 4): tasks that each hold a block of
// memory while a recursion runs. For memory.py, which runs it on simulated machines; nothing is allocated, as what is
// reported is what counts.
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

long fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

bool parse(const char* text, long& n) {
  const auto [stop, error] = std::from_chars(text, text + std::strlen(text), n);
  return error == std::errc{} && *stop == '\0' && n > 0;
}

}  // namespace

int main(int argc, char** argv) {
  long tasks = 25;
  long bytes = 40'000'000;
  long n = 30;
  if (argc != 1 && (argc != 4 || !parse(argv[1], tasks) || !parse(argv[2], bytes) || !parse(argv[3], n))) {
    std::fputs("usage: takt-bench-memory-example [TASKS BYTES N], each above 0\n", stderr);
    return 2;
  }
  takt::parallel_for(0L, tasks, [=](long) {
    const takt::memory_scope block(static_cast<std::size_t>(bytes));
    (void)fib(n);
  });
  return 0;
}
