// From a seed to a program, and from a program to a smaller one.
#include "generated/program.hpp"
#include "generated/settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace takt_generated {

namespace {

constexpr int k_most_depth = 12;
constexpr std::size_t k_kinds = static_cast<std::size_t>(kind::algorithm) + 1;

// What code at one place may use.
struct scope {
  std::vector<std::uint32_t> waits;  ///< groups that it may wait for
  std::uint32_t groups = 0;          ///< those around it, to which it may add
  std::uint32_t locks = k_locks;     ///< the locks below this number
  std::uint32_t copies = 1;          ///< how often it is executed
};

class maker {
 public:
  explicit maker(std::uint64_t seed) : state_(mix(seed, 0x6765'6e65)) {
    // Each program has some constructs often and others never: what is rare is met in crowds.
    const std::uint32_t one_in = 2 + below(4);
    for (std::uint32_t& w : weights_) w = below(one_in) == 0 ? 0 : 1u << below(4);
    weights_[static_cast<std::size_t>(kind::steps)] = 0;
    // Errors end much.
    auto& errors = weights_[static_cast<std::size_t>(kind::error)];
    errors = below(2) == 0 ? 0 : 1;
    // A worker that is blocked in the program's code answers no thief (lab/README.md).
    const takt::policy p = settings_of(seed).policy;
    if (p == takt::lab::random_private || p == takt::lab::random_mixed) {
      for (const kind what : {kind::lock, kind::semaphore, kind::beside}) weights_[static_cast<std::size_t>(what)] = 0;
    }
  }

  node make() {
    // Sizes spread evenly over the orders of magnitude.
    const double size = 20.0 * std::pow(200.0, unit());
    scope all;
    return steps(static_cast<std::uint32_t>(size), k_most_depth, all);
  }

 private:
  std::uint64_t next() { return state_ = mix(state_, 1); }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  node fresh(kind what) {
    node n;
    n.what = what;
    n.id = ++nodes_;
    n.variant = below(1u << 16);
    return n;
  }

  node steps(std::uint32_t budget, int depth, scope& s) {
    if (depth == 0 || budget < 3) return leaf(s);
    node n = fresh(kind::steps);
    const std::uint32_t count = 1 + below(6);
    share(count, budget, [&](std::uint32_t part) { n.children.push_back(step(part, depth - 1, s)); });
    return n;
  }

  // One part is often most of it: that is how programs become deep.
  template <class F>
  void share(std::uint32_t parts, std::uint32_t budget, F f) {
    const std::uint32_t favoured = below(2) == 0 ? below(parts) : parts;
    std::uint32_t left = budget;
    for (std::uint32_t p = 0; p < parts; ++p) {
      const std::uint32_t part = p == favoured ? left - left / 8 : left / (parts - p);
      left -= part;
      f(part);
    }
  }

  node leaf(scope& s) {
    switch (const kind what = below(2) == 0 ? chosen(s) : kind::work; what) {
      case kind::wait:
        return wait(s);
      case kind::error:
        return error();
      case kind::lock:
      case kind::semaphore: {
        node n = fresh(what);
        n.number = below(s.locks);
        n.children.push_back(work());
        return n;
      }
      case kind::add: {
        node n = fresh(what);
        n.number = below(s.groups);
        n.children.push_back(work());
        return n;
      }
      case kind::stay:
      case kind::memory: {
        node n = fresh(what);
        n.count = 1 + below(4);
        n.children.push_back(work());
        return n;
      }
      default:
        return work();
    }
  }
  node work() {
    node n = fresh(kind::work);
    n.count = static_cast<std::uint32_t>(std::exp(unit() * 11.0));
    return n;
  }
  node error() {
    node n = fresh(kind::error);
    n.count = 1 + below(below(2) == 0 ? 1000 : 100);
    return n;
  }
  node wait(scope& s) {
    node n = fresh(kind::wait);
    n.number = s.waits[below(static_cast<std::uint32_t>(s.waits.size()))];
    return n;
  }

  kind chosen(const scope& s) {
    // What groups are for.
    if (s.groups != 0 && below(6) == 0) return kind::add;
    if (!s.waits.empty() && below(12) == 0) return kind::wait;
    std::uint32_t sum = 2;
    for (const std::uint32_t w : weights_) sum += w;
    std::uint32_t at = below(sum);
    for (std::size_t k = 0; k < k_kinds; ++k) {
      if (at >= weights_[k]) {
        at -= weights_[k];
        continue;
      }
      const auto what = static_cast<kind>(k);
      const bool may = what == kind::add         ? s.groups != 0
                       : what == kind::wait      ? !s.waits.empty()
                       : what == kind::lock      ? s.locks != 0
                       : what == kind::semaphore ? s.locks != 0
                       : what == kind::beside    ? s.copies <= 4
                                                 : true;
      return may ? what : kind::fork;
    }
    return kind::work;
  }

  node step(std::uint32_t budget, int depth, scope& s) {
    if (depth == 0 || budget < 2) return leaf(s);
    const kind what = chosen(s);
    if (what == kind::work) return work();
    if (what == kind::error) return error();
    if (what == kind::wait) return wait(s);
    node n = fresh(what);
    switch (what) {
      case kind::fork:
        branches(n, below(2) == 0 ? 2 : 2 + below(4), budget, depth, s);
        break;
      case kind::beside:
        branches(n, 2, budget, depth, s);
        break;
      case kind::loop:
      case kind::reduce:
        repeat(n, budget, depth, s);
        break;
      case kind::group: {
        scope inner = s;
        n.number = inner.groups++;
        inner.waits.push_back(n.number);
        if (below(4) == 0) {
          n.children.push_back(steps(budget, depth - 1, inner));
        } else {
          node inside = fresh(kind::steps);
          node first = fresh(kind::add);
          children(first, budget / 2, depth - 1, inner);
          inside.children.push_back(std::move(first));
          inside.children.push_back(steps(budget - budget / 2, depth - 1, inner));
          n.children.push_back(std::move(inside));
        }
        std::erase(inner.waits, n.number);
        s.waits = inner.waits;
        break;
      }
      case kind::add:
        children(n, budget, depth, s);
        break;
      case kind::lock:
      case kind::semaphore: {
        n.number = below(s.locks);
        scope inner = s;
        inner.waits.clear();
        inner.locks = n.number;
        n.children.push_back(n.variant % 4 == 0 ? work() : steps(budget, depth - 1, inner));
        break;
      }
      case kind::handler:
        n.children.push_back(steps(budget - budget / 3, depth - 1, s));
        n.children.push_back(steps(budget / 3, depth - 1, s));
        break;
      case kind::algorithm:
        n.count = static_cast<std::uint32_t>(std::exp(unit() * 8.5));
        break;
      case kind::memory:
        n.count = below(4) == 0 ? 1 + below(64) : 1 + below(4);
        [[fallthrough]];
      default:
        n.children.push_back(steps(budget, depth - 1, s));
        break;
    }
    return n;
  }

  template <class Pred>
  static std::vector<std::uint32_t> taken(std::vector<std::uint32_t>& from, Pred pred) {
    std::vector<std::uint32_t> result;
    std::erase_if(from, [&](std::uint32_t g) {
      const bool is = pred(g);
      if (is) result.push_back(g);
      return is;
    });
    return result;
  }

  // Of a group. Those around it that are waited for in a child are not waited for here any more.
  void children(node& add, std::uint32_t budget, int depth, scope& s) {
    add.number = below(2) == 0 ? s.groups - 1 : below(s.groups);
    share(1 + below(4), budget, [&](std::uint32_t part) {
      scope child = s;
      child.groups = add.number + 1;
      child.waits = taken(s.waits, [&](std::uint32_t g) { return g < add.number && below(2) == 0; });
      add.children.push_back(steps(part, depth - 1, child));
    });
  }

  // Each group may be waited for by one of them.
  void branches(node& n, std::uint32_t count, std::uint32_t budget, int depth, scope& s) {
    std::vector<std::uint32_t> lent = std::move(s.waits);
    s.waits.clear();
    std::vector<std::uint32_t> back;
    std::uint32_t left = count;
    share(count, budget, [&](std::uint32_t part) {
      scope branch = s;
      --left;
      branch.waits = taken(lent, [&](std::uint32_t) { return left == 0 || below(left + 1) == 0; });
      n.children.push_back(steps(part, depth - 1, branch));
      back.insert(back.end(), branch.waits.begin(), branch.waits.end());
    });
    s.waits = std::move(back);
  }

  // Sometimes there is no iteration at all.
  void repeat(node& n, std::uint32_t budget, int depth, scope& s) {
    const std::uint32_t most = std::max(2u, below(4) == 0 ? budget : budget / 8);
    n.count = below(20) == 0 ? 0 : 1 + below(below(4) != 0 ? std::min(most, 8u) : most);
    scope body = s;
    body.waits.clear();
    body.copies = s.copies * std::max(n.count, 1u);
    const std::uint32_t bodies = 1 + below(2);
    for (std::uint32_t b = 0; b < bodies; ++b)
      n.children.push_back(steps(budget / std::max(n.count, 1u), depth - 1, body));
  }

  std::uint64_t state_;
  std::uint32_t nodes_ = 0;
  std::array<std::uint32_t, k_kinds> weights_{};
};

constexpr std::array k_names = {"work", "steps", "fork",      "loop",   "reduce", "group", "add",     "wait",     "beside",
                                "stay", "lock",  "semaphore", "memory", "policy", "error", "handler", "algorithm"};
static_assert(k_names.size() == k_kinds);

void describe(const node& n, std::size_t indent, std::string& out) {
  out.append(2 * indent, ' ');
  out += k_names[static_cast<std::size_t>(n.what)];
  out += " id=" + std::to_string(n.id) + " count=" + std::to_string(n.count) + " number=" + std::to_string(n.number) +
         " variant=" + std::to_string(n.variant) + "\n";
  for (const node& c : n.children) describe(c, indent + 1, out);
}

// All that can be tried at `n`, by number; false: there is no more.
bool change(node& n, std::uint32_t number) {
  // What stands inside may stand outside, too: but a group takes its number with it.
  if (n.what != kind::group) {
    if (number < n.children.size()) {
      node kept = std::move(n.children[number]);
      n = std::move(kept);
      return true;
    }
    number -= static_cast<std::uint32_t>(n.children.size());
  }
  const bool may_drop = n.what == kind::steps || n.what == kind::add || n.what == kind::loop || n.what == kind::reduce ||
                        (n.what == kind::fork && n.children.size() > 2);
  if (may_drop && n.children.size() > 1) {
    if (number < n.children.size()) {
      n.children.erase(n.children.begin() + number);
      return true;
    }
    number -= static_cast<std::uint32_t>(n.children.size());
  }
  if (number-- == 0) {
    if (n.what == kind::work && n.count == 0) return false;
    n.what = kind::work;
    n.count = 0;
    n.children.clear();
    return true;
  }
  if (number-- == 0 && n.count > 1) {
    n.count /= 2;
    return true;
  }
  return false;
}

// Node `at`, counted from the root, or null.
node* find(node& n, std::size_t& at) {
  if (at-- == 0) return &n;
  for (node& c : n.children) {
    if (node* const found = find(c, at); found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace

node make_program(std::uint64_t seed) { return maker(seed).make(); }

std::string describe(const node& program) {
  std::string out;
  describe(program, 0, out);
  return out;
}

node shrink(node program, const std::function<bool(const node&)>& fails) {
  for (std::size_t at = 0;; ++at) {
    for (std::uint32_t number = 0;;) {
      node tried = program;
      std::size_t left = at;
      node* const n = find(tried, left);
      if (n == nullptr) return program;
      if (!change(*n, number)) break;
      if (fails(tried)) {
        program = std::move(tried);
      } else {
        ++number;
      }
    }
  }
}

}  // namespace takt_generated
