// Blocks of a compressed recording: each is decoded, smoothed, encoded again and written. A block has chunks that are
// decoded on their own.
#include "memory/parallel.hpp"
#include "memory/programs.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace bench {

namespace {

using bytes = std::vector<std::uint8_t>;

constexpr std::size_t k_blocks = 16;
constexpr std::size_t k_chunk = 64 << 10;
constexpr std::size_t k_reach = 16;

// Runs of one value: value, length from 1 to 255.
void decode(const bytes& runs, std::uint8_t* to) {
  for (std::size_t i = 0; i + 1 < runs.size(); i += 2) to = std::fill_n(to, runs[i + 1], runs[i]);
}

bytes encoded(const std::uint8_t* from, std::size_t n) {
  bytes runs;
  for (std::size_t i = 0; i < n;) {
    std::size_t length = 1;
    while (length < 255 && i + length < n && from[i + length] == from[i]) ++length;
    runs.push_back(from[i]);
    runs.push_back(static_cast<std::uint8_t>(length));
    i += length;
  }
  return runs;
}

std::uint64_t written(const bytes& chunk) {
  return std::accumulate(chunk.begin(), chunk.end(), std::uint64_t{0},
                         [](std::uint64_t sum, std::uint8_t x) { return sum * 31 + x; });
}

// to[i]: the mean of what is around i, in steps of eight.
void smooth(const std::vector<std::uint8_t>& from, std::size_t begin, std::size_t end, std::uint8_t* to) {
  unsigned sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t low = i < k_reach ? 0 : i - k_reach;
    const std::size_t high = std::min(from.size(), i + k_reach);
    if (i == begin) {
      sum = std::accumulate(from.begin() + static_cast<std::ptrdiff_t>(low),
                            from.begin() + static_cast<std::ptrdiff_t>(high), 0U);
    } else {
      if (i + k_reach <= from.size()) sum += from[high - 1];
      if (i > k_reach) sum -= from[low - 1];
    }
    to[i] = static_cast<std::uint8_t>(sum / static_cast<unsigned>(high - low) / 8 * 8);
  }
}

struct block {
  std::vector<bytes> chunks;
  std::vector<std::uint64_t> written;  // of each chunk, in place of a file
};

class pipeline final : public program {
 public:
  explicit pipeline(std::size_t n) : chunks_(std::max<std::size_t>(n / k_chunk, 1)), blocks_(k_blocks) {
    bytes raw(k_chunk);
    std::uint64_t at = 0;
    for (block& b : blocks_) {
      b.chunks.resize(chunks_);
      b.written.resize(chunks_);
      for (bytes& chunk : b.chunks) {
        for (std::size_t i = 0; i < k_chunk;) {
          const std::uint64_t r = scrambled(++at);
          const std::size_t length = std::min<std::size_t>(r % 400 + 100, k_chunk - i);
          std::fill_n(raw.begin() + static_cast<std::ptrdiff_t>(i), length, static_cast<std::uint8_t>(r >> 32));
          i += length;
        }
        chunk = encoded(raw.data(), k_chunk);
      }
    }
  }
  void compute() override {
    each(k_blocks, [&](std::size_t number) {
      block& b = blocks_[number];
      std::vector<std::uint8_t> decoded(chunks_ * k_chunk);
      each(chunks_, [&](std::size_t c) { decode(b.chunks[c], decoded.data() + c * k_chunk); });
      std::vector<std::uint8_t> smoothed(decoded.size());
      each(chunks_, [&](std::size_t c) { smooth(decoded, c * k_chunk, (c + 1) * k_chunk, smoothed.data()); });
      each(chunks_, [&](std::size_t c) { b.written[c] = written(encoded(smoothed.data() + c * k_chunk, k_chunk)); });
    });
  }
  std::uint64_t checksum() const override {
    std::uint64_t sum = 0;
    for (const block& b : blocks_) {
      for (const std::uint64_t chunk : b.written) sum = mixed(sum, chunk);
    }
    return sum;
  }

 private:
  std::size_t chunks_;
  std::vector<block> blocks_;
};

}  // namespace

program* make_pipeline(std::size_t n) { return new pipeline(n); }

}  // namespace bench
