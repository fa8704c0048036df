// What no number is has no largest value to start from.
// expect: takt::min_reducer is for numbers
#include <takt/algorithms.hpp>

#include <string>
#include <vector>

std::string misuse(const std::vector<std::string>& words) {
  return takt::reducing_for(words, takt::min_reducer<std::string>{},
                            [](const std::string& word, std::string& least) { least = std::min(least, word); });
}
