#include "tools/markup.hpp"

#include <nlohmann/json.hpp>

namespace takt::tools {

std::string escaped(const std::string& text) {
  using json = nlohmann::json;
  const std::string utf8 =
      json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace))
          .get<std::string>();
  std::string result;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const char c = utf8[i];
    const bool control = static_cast<unsigned char>(c) < 0x20;
    if (c == '&') {
      result += "&#38;";
    } else if (c == '<') {
      result += "&#60;";
    } else if (c == '>') {
      result += "&#62;";
    } else if (c == '"') {
      result += "&#34;";
    } else if (c == '\'') {
      result += "&#39;";
    } else if (control && c != '\t' && c != '\n') {
      result += "\xEF\xBF\xBD";
    } else if (utf8.compare(i, 3, "\xEF\xBF\xBE") == 0 || utf8.compare(i, 3, "\xEF\xBF\xBF") == 0) {
      result += "\xEF\xBF\xBD";
      i += 2;
    } else {
      result += c;
    }
  }
  return result;
}

std::string with_breaks(const std::string& text) {
  constexpr std::size_t k_most = 16;
  std::string result;
  std::string word;  // since the last place where it may break
  std::size_t length = 0;
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == ','; };
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (!continues && c != ' ' && length >= k_most) {
      // A number goes to the next line as a whole, unless it fills a line of its own.
      std::size_t cut = word.size();
      while (is_digit(c) && cut > 0 && is_digit(word[cut - 1])) {
        --cut;
      }
      if (cut == 0 || word[cut - 1] == ' ') {
        cut = word.size();
      }
      result += escaped(word.substr(0, cut)) + "<wbr/>";
      word.erase(0, cut);
      length = word.size();
    }
    word += c;
    length += continues ? 0 : 1;
    if (c == ' ') {
      length = 0;
    }
  }
  return result + escaped(word);
}

std::string shortened(const std::string& text, std::size_t most) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool continues = (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
    if (!continues && ++characters > most) {
      return text.substr(0, i) + "\xE2\x80\xA6";
    }
  }
  return text;
}

}  // namespace takt::tools
