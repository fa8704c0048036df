// A decision tree: at each node every feature's values are sorted, in a copy, for the split that separates the classes
// best. The data are a table's, or made up in the shape of covtype's numbers (581,012 samples, ten features, seven
// classes).
#include "memory/parallel.hpp"
#include "memory/programs.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

namespace {

constexpr std::size_t k_features = 10;
constexpr std::size_t k_classes = 7;
constexpr int k_depth = 4;
constexpr std::size_t k_fewest = 1000;

struct data {
  std::vector<std::uint16_t> values;  // of sample i: from k_features * i
  std::vector<std::uint8_t> classes;
};

struct split {
  double gain = -1;
  std::size_t feature = 0;
  std::uint16_t below = 0;
};

struct node {
  split at;
  std::unique_ptr<node> left, right;
};

using samples = std::vector<std::uint32_t>;
using counts = std::array<std::uint32_t, k_classes>;

double purity(const counts& of, std::size_t n) {
  double squares = 0;
  for (const std::uint32_t c : of) squares += static_cast<double>(c) * c;
  return squares / static_cast<double>(n);
}

split best_of(const data& d, const samples& here, std::size_t feature) {
  struct sample {
    std::uint16_t value;
    std::uint8_t of_class;
  };
  std::vector<sample> sorted(here.size());
  std::transform(here.begin(), here.end(), sorted.begin(),
                 [&](std::uint32_t i) { return sample{d.values[i * k_features + feature], d.classes[i]}; });
  std::sort(sorted.begin(), sorted.end(), [](sample x, sample y) { return x.value < y.value; });
  counts left{};
  counts right{};
  for (const sample s : sorted) ++right[s.of_class];
  split best;
  best.feature = feature;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    ++left[sorted[i - 1].of_class];
    --right[sorted[i - 1].of_class];
    if (sorted[i].value == sorted[i - 1].value) continue;
    const double gain = purity(left, i) + purity(right, sorted.size() - i);
    if (gain > best.gain) {
      best.gain = gain;
      best.below = sorted[i].value;
    }
  }
  return best;
}

std::unique_ptr<node> grow(const data& d, const samples& here, int depth) {
  auto made = std::make_unique<node>();
  if (depth == 0 || here.size() < k_fewest) return made;
  std::array<split, k_features> best;
  each(k_features, [&](std::size_t feature) { best[feature] = best_of(d, here, feature); });
  for (const split& s : best) {
    if (s.gain > made->at.gain) made->at = s;
  }
  if (made->at.gain < 0) return made;
  samples left;
  samples right;
  for (const std::uint32_t i : here) {
    (d.values[i * k_features + made->at.feature] < made->at.below ? left : right).push_back(i);
  }
  both([&] { made->left = grow(d, left, depth - 1); }, [&] { made->right = grow(d, right, depth - 1); });
  return made;
}

std::uint64_t sum_of(const node* n, std::uint64_t sum) {
  if (n == nullptr) return mixed(sum, 1);
  sum = mixed(sum, n->at.feature * 65536 + n->at.below);
  return sum_of(n->right.get(), sum_of(n->left.get(), sum));
}

class decision_tree final : public program {
 public:
  explicit decision_tree(data d) : data_(std::move(d)), all_(data_.classes.size()) {
    for (std::size_t i = 0; i < all_.size(); ++i) all_[i] = static_cast<std::uint32_t>(i);
  }
  void compute() override { root_ = grow(data_, all_, k_depth); }
  std::uint64_t checksum() const override { return sum_of(root_.get(), 0); }

 private:
  data data_;
  samples all_;
  std::unique_ptr<node> root_;
};

data made_up(std::size_t n) {
  data made{std::vector<std::uint16_t>(n * k_features), std::vector<std::uint8_t>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t sum = 0;
    for (std::size_t f = 0; f < k_features; ++f) {
      const auto value = static_cast<std::uint16_t>(scrambled(i * k_features + f) % 4000);
      made.values[i * k_features + f] = value;
      sum += value / (200 * (f + 1));
    }
    // One in eight is said wrongly.
    made.classes[i] = static_cast<std::uint8_t>((scrambled(~i) % 8 == 0 ? scrambled(i) : sum) % k_classes);
  }
  return made;
}

// Numbers are kept in 16 bits each.
data read(std::size_t n, const std::string& table) {
  std::ifstream file(table);
  std::string line;
  if (!std::getline(file, line)) throw bad_input(table + ": cannot be read");
  // Counted first: vectors that grow would need more memory than the tree.
  const std::istream::pos_type first = file.tellg();
  std::size_t rows = 0;
  while (rows < n && std::getline(file, line)) ++rows;
  file.clear();
  file.seekg(first);
  data made;
  made.values.reserve(rows * k_features);
  made.classes.reserve(rows);
  while (made.classes.size() < n && std::getline(file, line)) {
    std::size_t fields = 0;
    std::uint16_t number = 0;
    for (const char* at = line.data(); at < line.data() + line.size(); ++fields) {
      const char* const end = line.data() + line.size();
      const auto [stop, error] = std::from_chars(at, end, number);
      if (error != std::errc{} || (stop != end && *stop != ',')) {
        throw bad_input(table + ": line " + std::to_string(made.classes.size() + 2) +
                        " is not whole numbers from 0 to 65535 with commas");
      }
      if (fields < k_features) made.values.push_back(number);
      at = stop + 1;
    }
    if (fields <= k_features || number >= k_classes) {
      throw bad_input(table + ": line " + std::to_string(made.classes.size() + 2) +
                      " does not have ten numbers and a class from 0 to 6");
    }
    made.classes.push_back(static_cast<std::uint8_t>(number));
  }
  if (made.classes.empty()) throw bad_input(table + ": has no rows");
  return made;
}

}  // namespace

program* make_decision_tree(std::size_t n) { return new decision_tree(made_up(n)); }
program* make_decision_tree_of(std::size_t n, const char* table) { return new decision_tree(read(n, table)); }

}  // namespace bench
