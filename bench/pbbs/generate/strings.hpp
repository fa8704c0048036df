// Strings of a trigram distribution, and text and DNA made up from the same seeds every time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/random.hpp"

namespace takt::bench::pbbs {

// Letters that follow each other as they do in English: each is drawn by the two before it.
class trigrams {
 public:
  explicit trigrams(std::uint64_t seed) : random_(seed) {
    const std::string_view text = k_sample;
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
      followers_[index(text[i], text[i + 1])] += text[i + 2];
    }
  }

  // A letter or a space; never two spaces in a row.
  char next() {
    const std::string& choice = followers_[index(before_, last_)];
    const char letter = choice[random_.below(static_cast<std::uint32_t>(choice.size()))];
    before_ = last_;
    last_ = letter;
    return letter;
  }

 private:
  static constexpr std::size_t k_letters = 27;

  static std::size_t code(char c) { return c == ' ' ? 0 : static_cast<std::size_t>(c - 'a' + 1); }
  static std::size_t index(char a, char b) { return code(a) * k_letters + code(b); }

  // Its last two letters come earlier, too: every pair has a follower.
  static constexpr std::string_view k_sample =
      " the programmer marks all the parallelism there is every fork and every level of a loop and"
      " the scheduler decides beat by beat how little of it to make real while a worker goes down"
      " one branch the other waits as a frame that nobody else can see and most of these frames are"
      " never seen by anyone because the worker comes back and simply calls them the cost of a task"
      " is paid only when enough useful work has been done to hide it so the price is a small share"
      " of the whole however fine the grain of the program may be what remains is to choose which"
      " frame to give away and the answer is the oldest since it stands nearest to the root of the"
      " computation and holds the largest part of what is left to do thieves that take large pieces"
      " seldom come back for more and the number of tasks stays low on every machine from a quiet"
      " laptop to a crowded server with hundreds of processors where many people share the memory"
      " and the time judged by the clock on the wall just as quickly as anybody could expect zones"
      " of the input that are dense or sparse make no difference to the text of the code for there"
      " is nothing in it that was tuned with an exotic input in mind or fixed by a lucky guess and"
      " so a library can be built from parts that know nothing of each other yet run well together"
      " the ";

  std::array<std::string, k_letters * k_letters> followers_;
  random_source random_;
  char before_ = ' ';
  char last_ = 't';
};

// Words, of one letter at least.
inline std::vector<std::string> trigram_words(std::size_t n) {
  trigrams letters(111);
  std::vector<std::string> words(n);
  for (std::string& word : words) {
    do {
      for (char c = letters.next(); c != ' '; c = letters.next()) {
        word += c;
      }
    } while (word.empty());
  }
  return words;
}

// A text in which passages come back, as they do in collections of documents.
inline std::string trigram_text(std::size_t n) {
  trigrams letters(112);
  random_source random(113);
  std::string text;
  text.reserve(n);
  constexpr std::uint32_t k_passage = 200;
  while (text.size() < n) {
    if (text.size() > k_passage && random.below(20) == 0) {
      const std::size_t from = random.next() % (text.size() - k_passage);
      text += text.substr(from, 1 + random.below(k_passage));
    } else {
      for (std::uint32_t i = 0; i < k_passage; ++i) {
        text += letters.next();
      }
    }
  }
  text.resize(n);
  return text;
}

// Uniform bases, with copies of earlier stretches in which one base in a hundred has changed.
inline std::string made_up_dna(std::size_t n) {
  constexpr std::string_view k_bases = "ACGT";
  random_source random(114);
  std::string dna;
  dna.reserve(n);
  constexpr std::uint32_t k_stretch = 2000;
  while (dna.size() < n) {
    const bool copies = dna.size() > k_stretch && random.below(5) == 0;
    const std::size_t from = copies ? random.next() % (dna.size() - k_stretch) : 0;
    for (std::uint32_t i = 0; i < k_stretch; ++i) {
      dna += copies && random.below(100) != 0 ? dna[from + i] : k_bases[random.below(4)];
    }
  }
  dna.resize(n);
  return dna;
}

}  // namespace takt::bench::pbbs
