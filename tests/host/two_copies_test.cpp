// Two copies of takt in one process, one in a library that was opened later: the signals of each reach its own.
//
// Argument: the library.
#include "signals.hpp"

#include <dlfcn.h>

namespace {

bool meet(void* here) {
  auto& count = *static_cast<std::atomic<int>*>(here);
  count.fetch_add(1);
  const bool met = host::wait_until([&count] { return count.load() == 2; });
  host::let_a_beat_pass();
  return met;
}

}  // namespace

int main(int argc, char** argv) {
  HOST_CHECK(argc == 2);
  HOST_CHECK(host::a_leaf_is_reached());
  void* const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  HOST_CHECK(plugin != nullptr, "%s", dlerror());
  const auto call = reinterpret_cast<int (*)(bool (*)())>(dlsym(plugin, "call"));
  const auto leaf_is_reached = reinterpret_cast<int (*)(bool (*)(void*), void*)>(dlsym(plugin, "leaf_is_reached"));
  HOST_CHECK(call != nullptr && leaf_is_reached != nullptr);
  for (int round = 0; round < 10; ++round) {
    HOST_CHECK(call(&host::two_run_side_by_side) == 1);
    HOST_CHECK(host::a_leaf_is_reached());
    host::let_a_beat_pass();
    std::atomic<int> here{0};
    HOST_CHECK(leaf_is_reached(&meet, &here) == 1);
  }
}
