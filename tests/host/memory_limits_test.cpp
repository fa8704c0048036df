// Limits that kill: tasks hold a block each, and two at a time are more than there may be. With a budget the program
// ends with the right answer, under a limit on its address space and in a memory cgroup; and without one it does not,
// which shows that there is a limit.
#include "child.hpp"
#include "process.hpp"

#include <takt/lab.hpp>
#include <takt/memory.hpp>

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstring>
#include <string>

namespace {

constexpr std::size_t k_mega = std::size_t{1} << 20;
constexpr std::size_t k_block = 200 * k_mega;

std::atomic<int> holding{0};
std::atomic<bool> refused{false};

// A block for a task, written as a whole. Those that `meet` hold theirs until another one has one, too, or cannot have
// it.
void hold_block(int task, bool meet, std::atomic<long>& sum) {
  try {
    const auto block = takt::allocate<char>(k_block);
    std::memset(block.data(), task, block.size());
    holding.fetch_add(1);
    if (meet) {
      HOST_CHECK(host::wait_until([] { return holding.load() >= 2 || refused.load(); }), "nobody else wants a block");
    }
    sum.fetch_add(block[block.size() - 1]);
  } catch (const std::bad_alloc&) {
    refused = true;
    throw;
  }
}

// Forks one within the other, each of which waits at its join: a stack each, as far as there are any.
int chain(int depth) {
  if (depth == 0) return 0;
  std::atomic<bool> begun{false};
  int below = 0;
  takt::fork_join(
      [&] {
        // Others may have no stack to begin it.
        for (int look = 0; look < 50 && !begun.load(); ++look) {
          takt::fork_join([] {}, [] {});
          sched_yield();
        }
      },
      [&] {
        begun = true;
        below = chain(depth - 1);
      });
  return below + 1;
}

// @returns what the program exits with.
int compute(int workers, std::size_t budget, bool meet) {
  takt::config c;
  c.workers = static_cast<unsigned>(workers);
  c.memory = budget;
  c.trigger = takt::lab::eager;
  // Of the usual size few would fit, and who has none cannot wait.
  c.stack_bytes = k_mega;
  takt::configure(c);
  std::atomic<long> sum{0};
  int deep = 0;
  const auto compute_both = [&] {
    takt::fork_join([&] { deep = meet ? 30 : chain(30); },
                    [&] { takt::parallel_for(1, 9, [&](int task) { hold_block(task, meet, sum); }); });
  };
  // What the serial program needs is known to takt when it has needed it once.
  takt::fork_join(
      [&] {
        if (!meet) hold_block(0, false, sum);
        compute_both();
      },
      [] {});
  return sum == 36 && deep == 30 ? 0 : 1;
}

// A memory cgroup of our own, v1 or v2; none where we may not.
class cgroup {
 public:
  explicit cgroup(std::size_t bytes) {
    for (const auto& [above, limit] :
         {std::pair("/sys/fs/cgroup/memory", "/memory.limit_in_bytes"), std::pair("/sys/fs/cgroup", "/memory.max")}) {
      path_ = above + ("/takt-host-" + std::to_string(getpid()));
      if (mkdir(path_.c_str(), 0755) != 0) continue;
      if (write(limit, std::to_string(bytes))) return;
      rmdir(path_.c_str());
    }
    path_.clear();
  }
  ~cgroup() {
    if (!path_.empty()) rmdir(path_.c_str());
  }
  bool is_there() const { return !path_.empty(); }
  void enter() const { HOST_CHECK(write("/cgroup.procs", std::to_string(getpid()))); }

 private:
  bool write(const char* name, const std::string& text) const {
    const int file = open((path_ + name).c_str(), O_WRONLY | O_CLOEXEC);
    const bool done = file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (file >= 0) close(file);
    return done;
  }
  std::string path_;
};

// Runs that in a child, which limits itself first. @returns how it ended, as wait() says.
template <class Limit>
int run_limited(const Limit& limit, int workers, std::size_t budget, bool meet) {
  std::fflush(nullptr);
  const pid_t child = fork();
  HOST_CHECK(child >= 0);
  if (child == 0) {
    limit();
    int code = 3;
    try {
      code = compute(workers, budget, meet);
    } catch (const std::bad_alloc&) {
    }
    std::_Exit(code);
  }
  int status = 0;
  HOST_CHECK(waitpid(child, &status, 0) == child);
  return status;
}

template <class Limit>
void check(const char* what, const Limit& limit) {
  const int alone = run_limited(limit, 1, 0, false);
  HOST_CHECK(WIFEXITED(alone) && WEXITSTATUS(alone) == 0, "%s: serially, status %x", what,
             static_cast<unsigned>(alone));
  // What is to be shown: two blocks are too much. Nobody meets anybody where the second is refused.
  const int without = run_limited(limit, 2, 0, true);
  const bool is_killed = WIFSIGNALED(without) && WTERMSIG(without) == SIGKILL;
  const bool is_refused = WIFEXITED(without) && WEXITSTATUS(without) == 3;
  HOST_CHECK(is_killed || is_refused, "%s: without a budget, status %x", what, static_cast<unsigned>(without));
  for (const int workers : {2, 8, 64}) {
    const int within = run_limited(limit, workers, k_block + 20 * k_mega, false);
    HOST_CHECK(WIFEXITED(within) && WEXITSTATUS(within) == 0, "%s: with a budget, %d workers, status %x", what, workers,
               static_cast<unsigned>(within));
  }
}

void limit_address_space() {
  const rlim_t bytes = static_cast<rlim_t>(host::used_memory().mapped_mb) * k_mega + k_block + 100 * k_mega;
  const rlimit limit{bytes, bytes};
  HOST_CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

// qemu-user keeps limits to itself.
bool limits_hold() {
  const int status = host::status_of_child([] {
    limit_address_space();
    return mmap(nullptr, 3 * k_block, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED;
  });
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Sanitizers map terabytes, and end a process whose allocations fail.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool k_is_sanitized = true;
#elif defined(__has_feature)
constexpr bool k_is_sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool k_is_sanitized = false;
#endif

bool is_limited(decltype(RLIMIT_AS) resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

int main() {
  if (k_is_sanitized) host::skip("a sanitizer");
  if (is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA)) host::skip("this process has limits already");
  // glibc reserves 64 MB for each thread otherwise, as for any thread of a program.
  HOST_CHECK(mallopt(M_ARENA_MAX, 1) == 1);
  pthread_attr_t attributes;
  std::size_t thread_bytes = 0;
  HOST_CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_getstacksize(&attributes, &thread_bytes) == 0);
  // Beside a block: threads and stacks.
  const bool has_usual_threads = thread_bytes <= 8 * k_mega;
  const char* left_out = nullptr;
  if (!has_usual_threads) left_out = "threads' stacks are larger than usual";
  if (!limits_hold()) left_out = "a limit on the address space does not hold here";
  if (left_out == nullptr)
    check("address space", limit_address_space);
  else
    host::say("left out: %s", left_out);
  const cgroup box(k_block + 100 * k_mega);
  if (!box.is_there()) {
    if (left_out != nullptr) host::skip("nor can a memory cgroup be made here");
    host::say("left out: no memory cgroup can be made here");
    return 0;
  }
  check("cgroup", [&box] { box.enter(); });
}
