// hunt_dlopen PLUGIN.so ARGUMENT...: opens a program that was built as a plug-in, and calls its main from a thread that
// is not the process's first, as a server does with its modules. It stays open: exit handlers may be in it.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("hunt_dlopen: PLUGIN.so ARGUMENT...\n", stderr);
    return 2;
  }
  void* const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  // Its own main, and not this one, which no library can see.
  auto* const function = plugin != nullptr ? reinterpret_cast<int (*)(int, char**)>(dlsym(plugin, "main")) : nullptr;
  if (function == nullptr) {
    std::fprintf(stderr, "hunt_dlopen: %s\n", dlerror());
    return 1;
  }
  int result = 1;
  std::thread([&] { result = function(argc - 1, argv + 1); }).join();
  return result;
}
