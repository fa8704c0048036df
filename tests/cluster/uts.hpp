// Unbalanced tree search (Olivier et al., LCPC 2006): a tree whose shape comes of SHA-1, so that nobody can divide it
// evenly beforehand. Geometric trees, fixed shape, as the benchmark's T1 and T1L.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace uts {

using digest = std::array<std::uint8_t, 20>;

/// SHA-1 of at most 55 bytes: one block.
inline digest sha1(const std::uint8_t* text, std::size_t bytes) {
  std::array<std::uint32_t, 80> w{};
  const auto set = [&w](std::size_t at, std::uint32_t byte) { w[at / 4] |= byte << (24 - 8 * (at % 4)); };
  for (std::size_t i = 0; i < bytes; ++i) set(i, text[i]);
  set(bytes, 0x80);
  w[15] = static_cast<std::uint32_t>(8 * bytes);
  for (std::size_t t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  const std::array<std::uint32_t, 5> begin{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  auto [a, b, c, d, e] = begin;
  for (std::size_t t = 0; t < 80; ++t) {
    const std::uint32_t f = t < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                            : t < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                            : t < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                     : (b ^ c ^ d) + 0xca62c1d6;
    const std::uint32_t next = std::rotl(a, 5) + f + e + w[t];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  digest out{};
  const std::array<std::uint32_t, 5> end{begin[0] + a, begin[1] + b, begin[2] + c, begin[3] + d, begin[4] + e};
  for (std::size_t i = 0; i < 20; ++i) out[i] = static_cast<std::uint8_t>(end[i / 4] >> (24 - 8 * (i % 4)));
  return out;
}

struct tree {
  double branching = 4;
  int depth = 10;
};
struct node {
  digest state;
  int height;
};

inline void put(std::uint8_t* to, std::uint32_t number) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
}
inline node root(std::uint32_t seed) {
  std::array<std::uint8_t, 20> text{};
  put(text.data() + 16, seed);
  return {sha1(text.data(), text.size()), 0};
}
inline node child(const node& of, int number) {
  std::array<std::uint8_t, 24> text{};
  for (std::size_t i = 0; i < 20; ++i) text[i] = of.state[i];
  put(text.data() + 20, static_cast<std::uint32_t>(number));
  return {sha1(text.data(), text.size()), of.height + 1};
}
inline int children(const tree& t, const node& n) {
  if (n.height >= t.depth) return 0;
  std::uint32_t random = 0;
  for (std::size_t i = 16; i < 20; ++i) random = random << 8 | n.state[i];
  const double u = (random & 0x7fffffff) / 2147483648.0;
  return static_cast<int>(std::floor(std::log(1 - u) / std::log(1 - 1 / (1 + t.branching))));
}

inline long count(const tree& t, const node& n) {
  long sum = 1;
  for (int i = 0, all = children(t, n); i < all; ++i) sum += count(t, child(n, i));
  return sum;
}

}  // namespace uts
