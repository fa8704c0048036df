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
