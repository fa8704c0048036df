// A program that says nothing of its memory, under the library that watches it (preload/): what its tasks allocate is
// counted, wherever it is freed; and it lives through locks, handlers, fork, and threads of its own.
//
// With a budget of one byte everybody but the leftmost waits at each large block, if it may.
#include <takt/lab.hpp>

#include "host.hpp"

#include <nlohmann/json.hpp>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <malloc.h>
#include <csignal>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t k_block = std::size_t{1} << 20;

std::int64_t memory(const char* which) {
  return nlohmann::json::parse(takt::stats_json()).at("total").at(which).get<std::int64_t>();
}
std::int64_t held() { return memory("memory_now_bytes"); }

void configure(std::uint64_t budget, bool with_places = false) {
  takt::config c = takt::config::from_environment();
  c.workers = 3;
  c.trigger = takt::lab::eager;
  c.memory = budget;
  if (with_places) c.stats = "/dev/null";
  takt::configure(c);
}

template <class F>
void in_a_task(F f) {
  takt::fork_join(f, [] {});
}

// Compilers may leave out what nobody looks at.
[[gnu::noinline]] void look_at(void* p) { __asm__ volatile("" ::"r"(p) : "memory"); }

template <class Make, class Free>
void counted_once(const char* what, std::size_t bytes, Make make, Free free_it) {
  in_a_task([&] {
    const std::int64_t before = held();
    void* const p = make();
    HOST_CHECK(p != nullptr);
    look_at(p);
    HOST_CHECK(held() - before == static_cast<std::int64_t>(bytes), "%s: %ld", what, long(held() - before));
    free_it(p);
    HOST_CHECK(held() == before, "%s: %ld are left", what, long(held() - before));
  });
}

void check_each_way() {
  configure(0);
  counted_once("malloc", k_block, [] { return std::malloc(k_block); }, [](void* p) { std::free(p); });
  counted_once("calloc", k_block, [] { return std::calloc(16, k_block / 16); }, [](void* p) { std::free(p); });
  counted_once(
      "aligned_alloc", k_block, [] { return std::aligned_alloc(256, k_block); }, [](void* p) { std::free(p); });
  counted_once("memalign", k_block, [] { return ::memalign(256, k_block); }, [](void* p) { std::free(p); });
  counted_once(
      "posix_memalign", k_block,
      [] {
        void* p = nullptr;
        return ::posix_memalign(&p, 64, k_block) == 0 ? p : nullptr;
      },
      [](void* p) { std::free(p); });
  counted_once("new", k_block, [] { return ::operator new(k_block); }, [](void* p) { ::operator delete(p, k_block); });
  counted_once(
      "new[]", k_block, [] { return static_cast<void*>(new char[k_block]); },
      [](void* p) { delete[] static_cast<char*>(p); });
  constexpr std::align_val_t k_line{64};
  counted_once(
      "aligned new", k_block, [=] { return ::operator new(k_block, k_line); },
      [=](void* p) { ::operator delete(p, k_line); });
  counted_once(
      "realloc", 3 * k_block, [] { return std::realloc(std::malloc(k_block), 3 * k_block); },
      [](void* p) { std::free(p); });
  counted_once(
      "realloc of a small one", k_block, [] { return std::realloc(std::malloc(10), k_block); },
      [](void* p) { std::free(p); });
  counted_once(
      "realloc to less", k_block, [] { return std::realloc(std::malloc(3 * k_block), k_block); },
      [](void* p) { std::free(p); });
  counted_once(
      "reallocarray", 2 * k_block, [] { return ::reallocarray(nullptr, 2, k_block); }, [](void* p) { std::free(p); });
  constexpr int k_kind = MAP_PRIVATE | MAP_ANONYMOUS;
  counted_once(
      "mmap", k_block, [] { return ::mmap(nullptr, k_block, PROT_READ | PROT_WRITE, k_kind, -1, 0); },
      [](void* p) { ::munmap(p, k_block); });
  counted_once(
      "mremap", 2 * k_block,
      [] {
        void* const p = ::mmap(nullptr, k_block, PROT_READ | PROT_WRITE, k_kind, -1, 0);
        return ::mremap(p, k_block, 2 * k_block, MREMAP_MAYMOVE);
      },
      [](void* p) { ::munmap(p, 2 * k_block); });
  counted_once(
      "mmap of what is reserved only", 0,
      [] { return ::mmap(nullptr, k_block, PROT_NONE, k_kind | MAP_NORESERVE, -1, 0); },
      [](void* p) { ::munmap(p, k_block); });
  counted_once("a small one", 0, [] { return std::malloc(1000); }, [](void* p) { std::free(p); });
  // What cannot be had is not held.
  in_a_task([] {
    const std::size_t too_much = std::size_t{1} << 60;
    look_at(std::malloc(too_much));
    bool threw = false;
    try {
      look_at(::operator new(too_much));
    } catch (const std::bad_alloc&) {
      threw = true;
    }
    HOST_CHECK(threw);
    HOST_CHECK(held() == 0);
  });
}

void check_outside() {
  configure(0);
  std::vector<char> mine(k_block);
  look_at(mine.data());
  HOST_CHECK(held() == 0, "what is allocated outside of tasks is not counted");
  std::vector<std::vector<char>> handed(8);
  takt::parallel_for(0, 8, [&](int i) { handed[static_cast<std::size_t>(i)].resize(k_block); });
  HOST_CHECK(held() == 8 * static_cast<std::int64_t>(k_block));
  std::thread([&] { handed.resize(4); }).join();
  HOST_CHECK(held() == 4 * static_cast<std::int64_t>(k_block));
  handed.clear();
  HOST_CHECK(held() == 0);
}

void work_a_little() {
  for (int i = 0; i < 20; ++i) takt::fork_join([] {}, [] {});
}

void check_tasks_wait() {
  configure(1);
  for (int round = 0; round < 1000 && memory("memory_waits") == 0; ++round) {
    takt::parallel_for(0, 40, [](int) {
      std::vector<char> block(k_block);
      look_at(block.data());
      work_a_little();
    });
  }
  HOST_CHECK(memory("memory_waits") > 0, "nobody has waited");
  HOST_CHECK(held() == 0);
}

// Who waited with it would be found on another thread, or by others for ever.
template <class Held>
void stays_where_it_is(Held held_around) {
  takt::parallel_for(0, 60, [&](int) {
    held_around([] {
      const pid_t thread = ::gettid();
      std::vector<char> block(k_block);
      look_at(block.data());
      HOST_CHECK(::gettid() == thread);
    });
    work_a_little();
  });
}

void call_the_function();
thread_local void (*function)() = nullptr;
void call_the_function() { function(); }

void check_locks() {
  configure(1);
  std::mutex mutex;
  pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  for (int round = 0; round < 20; ++round) {
    stays_where_it_is([&](auto f) {
      const std::lock_guard guard(mutex);
      f();
    });
    stays_where_it_is([&](auto f) {
      ::pthread_rwlock_rdlock(&shared);
      f();
      ::pthread_rwlock_unlock(&shared);
    });
    stays_where_it_is([&](auto f) {
      pthread_once_t once = PTHREAD_ONCE_INIT;
      function = f;
      ::pthread_once(&once, &call_the_function);
    });
  }
  stays_where_it_is([](auto f) {
    static const int made = (f(), 1);
    HOST_CHECK(made == 1);
  });
}

std::atomic<int> handled_elsewhere{0};

void allocate_in_handler(int) {
  const pid_t thread = ::gettid();
  void* const p = ::mmap(nullptr, k_block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || ::gettid() != thread) std::abort();
  std::memset(p, 1, k_block);
  if (thread != ::getpid()) ++handled_elsewhere;
  ::munmap(p, k_block);
}

// How much all places hold, for statistics.
std::int64_t held_at_places() {
  std::int64_t sum = 0;
  const nlohmann::json stats = nlohmann::json::parse(takt::stats_json());
  for (const nlohmann::json& p : stats.at("memory_places")) sum += p.at("now_bytes").get<std::int64_t>();
  return sum;
}

// Each is one place, wherever it is called. None reaches into the next one's addresses.
constexpr int k_apart = 256;
[[gnu::noinline, gnu::aligned(k_apart)]] void* by_malloc(std::size_t bytes) {
  void* const p = std::malloc(bytes);
  look_at(p);
  return p;
}
[[gnu::noinline, gnu::aligned(k_apart)]] char* by_new(std::size_t bytes) {
  char* const p = new char[bytes];
  look_at(p);
  return p;
}
[[gnu::noinline, gnu::aligned(k_apart)]] void* to_two_blocks(void* old) {
  void* const p = std::realloc(old, 2 * k_block);
  look_at(p);
  return p;
}

// What is held by a function's allocations, by the place that statistics give, as addr2line reads it.
std::int64_t held_in(const void* of, const char* which) {
  Dl_info found{};
  HOST_CHECK(::dladdr(of, &found) != 0);
  auto begins = reinterpret_cast<std::uintptr_t>(of);
  if (static_cast<const ElfW(Ehdr)*>(found.dli_fbase)->e_type != ET_EXEC)
    begins -= reinterpret_cast<std::uintptr_t>(found.dli_fbase);
  const std::string file = found.dli_fname;
  const std::string before = file.substr(file.rfind('/') + 1) + "+0x";
  std::int64_t bytes = 0;
  const nlohmann::json stats = nlohmann::json::parse(takt::stats_json());
  for (const nlohmann::json& p : stats.at("memory_places")) {
    const std::string name = p.at("place").get<std::string>();
    if (!name.starts_with(before)) continue;
    const std::uintptr_t at = std::stoull(name.substr(before.size()), nullptr, 16);
    if (at > begins && at < begins + k_apart) bytes += p.at(which).get<std::int64_t>();
  }
  return bytes;
}
template <class F>
const void* address_of(F* f) {
  return reinterpret_cast<const void*>(f);
}

void check_places() {
  configure(0, true);
  constexpr auto k_size = static_cast<std::int64_t>(k_block);
  // A compiler that knows it may make functions of its own for it.
  std::size_t one = k_block;
  __asm__ volatile("" : "+r"(one));
  void* kept = nullptr;
  in_a_task([&] {
    kept = by_malloc(one);
    // Through a wrapper all are one place: the wrapper's.
    void* const other = by_malloc(3 * one);
    char* const made = by_new(one);
    HOST_CHECK(held_in(address_of(&by_malloc), "now_bytes") == 4 * k_size);
    HOST_CHECK(held_in(address_of(&by_new), "now_bytes") == k_size, "it is not at whoever calls operator new");
    std::free(other);
    delete[] made;
    // What a block grows by is where that was allocated.
    kept = to_two_blocks(kept);
    HOST_CHECK(held_in(address_of(&by_malloc), "now_bytes") == 2 * k_size);
    HOST_CHECK(held_in(address_of(&to_two_blocks), "peak_bytes") == 0);
    HOST_CHECK(held_in(address_of(&by_malloc), "at_peak_bytes") == 4 * k_size);
    HOST_CHECK(held_in(address_of(&by_new), "at_peak_bytes") == k_size);
  });
  // A thread that is no worker's gives back at the place; what it takes is not counted.
  std::thread([&] {
    std::free(kept);
    kept = by_malloc(one);
  }).join();
  HOST_CHECK(held_in(address_of(&by_malloc), "now_bytes") == 0);
  std::free(kept);
  // What was taken before somebody asked, or in between, is at no place.
  in_a_task([&] { kept = by_malloc(one); });
  configure(0);
  configure(0, true);
  HOST_CHECK(held_at_places() == 0);
  in_a_task([&] {
    void* const more = by_malloc(one);
    std::free(kept);
    HOST_CHECK(held_in(address_of(&by_malloc), "now_bytes") == k_size);
    std::free(more);
  });
  HOST_CHECK(held_at_places() == 0);
}

void check_handlers(bool with_places) {
  configure(1, with_places);
  handled_elsewhere = 0;
  struct sigaction action{};
  action.sa_handler = &allocate_in_handler;
  HOST_CHECK(::sigaction(SIGSEGV, &action, nullptr) == 0);
  // Of a kind that is blocked nowhere. On several threads at a time, so that some are not the leftmost.
  for (int round = 0; round < 1000 && handled_elsewhere < 500; ++round) {
    takt::parallel_for(0, 100, [](int) {
      ::pthread_kill(::pthread_self(), SIGSEGV);
      work_a_little();
    });
  }
  HOST_CHECK(handled_elsewhere != 0, "no handler has run on a worker's thread");
  if (with_places) HOST_CHECK(held_at_places() == 0);
  HOST_CHECK(held() == 0);
}

void check_fork() {
  configure(1);
  takt::parallel_for(0, 4, [](int) {
    const pid_t child = ::fork();
    if (child == 0) {
      std::vector<char> block(k_block);
      look_at(block.data());
      ::_exit(0);
    }
    int status = 1;
    HOST_CHECK(child > 0 && ::waitpid(child, &status, 0) == child && status == 0);
  });
  const pid_t child = ::fork();
  if (child == 0) {
    std::atomic<int> ran{0};
    takt::parallel_for(0, 8, [&](int) {
      std::vector<char> block(k_block);
      look_at(block.data());
      ++ran;
    });
    ::_exit(ran == 8 ? 0 : 1);
  }
  int status = 1;
  HOST_CHECK(child > 0 && ::waitpid(child, &status, 0) == child && status == 0);
}

void check_other_threads() {
  configure(1);
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      while (!over) {
        std::vector<char> block(k_block);
        look_at(block.data());
      }
    });
  }
  for (int round = 0; round < 5; ++round) {
    takt::parallel_for(0, 40, [](int) {
      std::vector<char> block(k_block);
      look_at(block.data());
      work_a_little();
    });
  }
  over = true;
  for (std::thread& t : threads) t.join();
  HOST_CHECK(held() == 0);
}

}  // namespace

int main() {
  if (::dlsym(RTLD_DEFAULT, TAKT_ABI_SYMBOL(memory_watcher_with_places)) == nullptr)
    host::skip("libtakt-memory.so is not loaded");
  check_each_way();
  check_outside();
  check_tasks_wait();
  check_locks();
  check_places();
  check_handlers(false);
  check_handlers(true);
  check_fork();
  check_other_threads();
}
