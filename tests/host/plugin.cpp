// A user's library that makes parallel calls: plugin_test.cpp opens and closes it.
#include <takt/takt.hpp>

#include <vector>

extern "C" TAKT_EXPORT long work() {
  std::vector<long> v(100000, 1);
  takt::task_group group;
  group.run([&] { takt::parallel_for(v, [](long& x) { ++x; }); });
  group.wait();
  const auto [a, b] = takt::fork_join([&] { return v.front(); }, [&] { return v.back(); });
  return a + b;
}
