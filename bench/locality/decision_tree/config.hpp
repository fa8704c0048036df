// decision_tree: CART for two classes, the best split of each attribute by a histogram (ADWS paper, sections 2.1
// and 6.2).
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct decision_tree_problem {
  static constexpr problem_info info{.name = "decision_tree",
                                     .about = "a tree that tells two classes of rows apart",
                                     .form = kind::forks,
                                     .size_unit = "rows",
                                     .size_default = 200'000,
                                     .size_min = 2,
                                     .size_max = 100'000'000,
                                     .group = "locality",
                                     .takes_file = true};
  // As the paper's rows.
  static constexpr std::size_t k_attributes = 28;
  struct row {
    std::array<double, k_attributes> attribute;
    std::uint64_t is_second;  // 0 or 1: its class
  };
  struct node {
    std::uint32_t rows;
    std::uint32_t second;  // of them, those of the second class
    int attribute = -1;    // -1: a leaf
    double below = 0;      // rows whose attribute is less go left
    std::unique_ptr<node> left{};
    std::unique_ptr<node> right{};
  };
  struct input {
    std::vector<row> rows;
    std::array<double, k_attributes> least;
    std::array<double, k_attributes> most;
  };
  struct answer {
    std::vector<row> rows;
    std::vector<row> other;  // the second array
    std::unique_ptr<node> root;
  };

  static constexpr std::size_t k_bins = 64;
  static constexpr int k_deepest = 17;
  // The paper's cut-off of the recursion, 64 KiB: fewer rows make a leaf of the tree.
  static constexpr std::size_t k_leaf = 64 * 1024 / sizeof(row);

  // Of a table with a header: the first numbers of each line are attributes, the last is the class; the second class is
  // that with number 1 (of covtype, the larger half).
  static std::vector<row> read(const std::string& path, std::size_t most) {
    std::ifstream file(path);
    std::string line;
    std::vector<row> rows;
    if (!std::getline(file, line)) {
      throw input_error("decision_tree: " + path + ": cannot be read");
    }
    while (rows.size() < most && std::getline(file, line)) {
      row r{};
      std::size_t count = 0;
      double number = 0;
      for (const char* at = line.data(); at < line.data() + line.size(); ++count) {
        const auto [stop, error] = std::from_chars(at, line.data() + line.size(), number);
        if (error != std::errc{} || (stop != line.data() + line.size() && *stop != ',')) {
          throw input_error("decision_tree: " + path + ": row " + std::to_string(rows.size() + 1) +
                            " is not numbers with commas");
        }
        if (count < k_attributes) {
          r.attribute[count] = number;
        }
        at = stop + 1;
      }
      if (count <= k_attributes) {
        throw input_error("decision_tree: " + path + ": row " + std::to_string(rows.size() + 1) + " has " +
                          std::to_string(count) + " numbers, of which " + std::to_string(k_attributes + 1) + " are needed");
      }
      r.is_second = number == 1 ? 1 : 0;
      rows.push_back(r);
    }
    if (rows.size() < 2) {
      throw input_error("decision_tree: " + path + ": fewer than two rows");
    }
    return rows;
  }

  // Classes by a few rules on some attributes, and one row in ten by chance.
  static std::vector<row> generate(std::size_t count) {
    std::vector<row> rows(count);
    random_source random(13);
    for (row& r : rows) {
      for (double& a : r.attribute) {
        a = random.unit();
      }
      const auto& a = r.attribute;
      const bool rule = a[0] < 0.3 ? a[3] * a[4] < 0.2 : (a[1] + a[2] < 0.8) != (a[7] < 0.35);
      r.is_second = (random.below(10) == 0 ? random.below(2) == 0 : rule) ? 1 : 0;
    }
    return rows;
  }

  static input make(const request& wanted) {
    const auto count = static_cast<std::size_t>(size_of(wanted, info));
    input in{wanted.input.empty() ? generate(count) : read(wanted.input, count), {}, {}};
    for (std::size_t a = 0; a < k_attributes; ++a) {
      const auto by_this = [a](const row& x, const row& y) { return x.attribute[a] < y.attribute[a]; };
      const auto [least, most] = std::minmax_element(in.rows.begin(), in.rows.end(), by_this);
      in.least[a] = least->attribute[a];
      in.most[a] = most->attribute[a];
    }
    return in;
  }
  static void reset(const input& in, answer& a) {
    a.rows = in.rows;
    a.other.resize(in.rows.size());
    a.root.reset();
  }
  static bool same_tree(const node* a, const node* b) {
    if (a == nullptr || b == nullptr) {
      return a == b;
    }
    return a->rows == b->rows && a->second == b->second && a->attribute == b->attribute && a->below == b->below &&
           same_tree(a->left.get(), b->left.get()) && same_tree(a->right.get(), b->right.get());
  }
  // How many rows the tree puts into their class.
  static std::size_t right_of(const node& n) {
    if (n.attribute < 0) {
      return std::max(n.second, n.rows - n.second);
    }
    return right_of(*n.left) + right_of(*n.right);
  }
  // The serial program's tree, and one that has learned something: no worse than the larger class for all.
  static bool same(const input& in, const answer& got, const answer& expected) {
    const std::size_t right = right_of(*got.root);
    return same_tree(got.root.get(), expected.root.get()) && right <= in.rows.size() &&
           right >= std::max<std::size_t>(got.root->second, got.root->rows - got.root->second);
  }
};

}  // namespace takt::bench
