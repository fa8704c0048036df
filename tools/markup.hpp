// Pieces of any page of HTML that a command writes.
#pragma once

#include <cstddef>
#include <string>

namespace takt::tools {

// Text for an element or an attribute. Names come from files: what is not UTF-8, or a character
// that XML does not have, becomes U+FFFD.
std::string escaped(const std::string& text);

// The same for text in a table that may take several lines: between words, and in the middle of one
// that is longer than a line should be. A number that is no longer is never cut.
std::string with_breaks(const std::string& text);

// At most `most` characters of UTF-8; the rest becomes an ellipsis.
std::string shortened(const std::string& text, std::size_t most);

// The content of <style>.
inline constexpr const char* k_page_style =
    "body{font:14px/1.4 sans-serif;margin:2em auto;max-width:76em;padding:0 1em;color:#222;"
    "overflow-wrap:anywhere}"
    "table{border-collapse:collapse;margin:.5em 0 1.5em;display:block;max-width:100%;overflow-x:auto}"
    "caption{text-align:left;font-weight:bold;padding:.3em 0}"
    "th,td{padding:.15em .5em;border-bottom:1px solid #ddd;text-align:right;"
    "white-space:nowrap}"
    "th{border-bottom:1px solid #888;vertical-align:bottom}"
    "th.l,td.l{text-align:left}"
    "td.w{white-space:normal;overflow-wrap:normal}"
    "table.about{margin:0}table.about th{border-bottom:1px solid #ddd}"
    "p.verdict{font-size:16px}"
    "p.warning{color:#b00020}ul.left{max-height:20em;overflow:auto}"
    "th.g{text-align:center}"
    "tfoot td{border-bottom:none;border-top:1px solid #888}"
    "td.bad{min-width:10em;color:#b00020;font-weight:bold}"
    "p.note{color:#555}"
    "figure{margin:1em 0}figcaption{font-weight:bold}"
    "svg{max-width:100%;height:auto}"
    "@media print{figure,tr{break-inside:avoid}}";

}  // namespace takt::tools
