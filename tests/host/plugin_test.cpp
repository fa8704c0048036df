// plugin_test FILE...: opens a user's library, has it make parallel calls, closes it, and lives on: what takt has
// installed in the process stays where it is, also for a thread that ends after that.
#include <dlfcn.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

static void work_and_close(const char* file) {
  void* plugin = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  void* const symbol = dlsym(plugin, "work");
  const auto work = reinterpret_cast<long (*)()>(symbol);
  if (work() != 4) std::exit(1);
  dlclose(plugin);
  raise(SIGURG);
}

int main(int count, char** files) {
  // With one worker no thread of takt's own holds the library.
  setenv("TAKT_WORKERS", "1", 1);
  for (int i = 1; i < count; ++i) {
    // In a thread that ends: what it would have had to do for takt is done by then.
    std::thread(work_and_close, files[i]).join();
    raise(SIGURG);
    work_and_close(files[i]);
  }
  raise(SIGURG);
}
