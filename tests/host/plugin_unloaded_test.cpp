// A plug-in of the user's is loaded, called and unloaded inside a parallel call. Nothing of takt's writes to its data
// afterwards.
#include "host.hpp"

#include <dlfcn.h>

static long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

int main(int, char** arguments) {
  takt::fork_join(
      [&] {
        for (int round = 0; round < 50; ++round) {
          void* const plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
          HOST_CHECK(plugin != nullptr, "%s", dlerror());
          HOST_CHECK(reinterpret_cast<double (*)(int)>(dlsym(plugin, "rows"))(20'000) > 0);
          HOST_CHECK(dlclose(plugin) == 0);
          HOST_CHECK(dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD) == nullptr, "the plug-in stays loaded");
          HOST_CHECK(fib(25) == 75'025);
        }
      },
      [] {});
}
