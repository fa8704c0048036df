#include "tools/object_code.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <elf.h>
#include <fstream>
#include <functional>
#include <memory>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace takt::tools {
namespace {

struct pipe_closer {
  void operator()(std::FILE* pipe) const { ::pclose(pipe); }
};

std::string shell_word(const std::string& word) {
  std::string out = "'";
  for (const char c : word) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

// Each line that the command writes, without its end; none if it cannot be run.
void for_each_line(const std::string& command, const std::function<void(std::string_view)>& use) {
  const std::string quiet = "{ " + command + "; } 2>/dev/null";
  const std::unique_ptr<std::FILE, pipe_closer> pipe(::popen(quiet.c_str(), "r"));
  if (!pipe) {
    return;
  }
  char* line = nullptr;
  std::size_t room = 0;
  for (ssize_t length; (length = ::getline(&line, &room, pipe.get())) > 0;) {
    std::string_view text(line, static_cast<std::size_t>(length));
    if (text.ends_with('\n')) {
      text.remove_suffix(1);
    }
    use(text);
  }
  std::free(line);
}

bool parse_hex(std::string_view text, std::uint64_t& out) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
  return error == std::errc{} && stop == text.data() + text.size();
}

// Only there is a number in an instruction an address.
bool has_fixed_addresses(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  return file && header.e_type == ET_EXEC;
}

// The last that begins at or before `address`, if that is in it.
const object_code::function* around(const std::vector<object_code::function>& all, std::uint64_t address) {
  auto after = std::upper_bound(all.begin(), all.end(), address, [](std::uint64_t a, const object_code::function& f) {
    return a < f.address;
  });
  if (after == all.begin()) {
    return nullptr;
  }
  --after;
  const std::uint64_t offset = address - after->address;
  return offset == 0 || offset < after->size ? &*after : nullptr;
}

// Each aligned word of the data in the file, and its address.
void for_each_word(const std::string& path, const std::function<void(std::uint64_t, std::uint64_t)>& use) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || header.e_shentsize != sizeof(Elf64_Shdr)) {
    return;
  }
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  file.seekg(static_cast<std::streamoff>(header.e_shoff));
  file.read(reinterpret_cast<char*>(sections.data()),
            static_cast<std::streamsize>(sections.size() * sizeof(Elf64_Shdr)));
  for (const Elf64_Shdr& section : sections) {
    if (!file || section.sh_type != SHT_PROGBITS || (section.sh_flags & SHF_ALLOC) == 0 ||
        (section.sh_flags & SHF_EXECINSTR) != 0 || section.sh_addr % sizeof(std::uint64_t) != 0) {
      continue;
    }
    std::vector<std::uint64_t> words(section.sh_size / sizeof(std::uint64_t));
    file.seekg(static_cast<std::streamoff>(section.sh_offset));
    file.read(reinterpret_cast<char*>(words.data()),
              static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
    for (std::size_t i = 0; file && i < words.size(); ++i) {
      use(section.sh_addr + i * sizeof(std::uint64_t), words[i]);
    }
  }
}

// LLVM's, the newest, knows what GCC and Clang write; that of binutils 2.40 finds nothing inlined in some of Clang's
// functions.
const std::string& addr2line() {
  static const std::string found = [] {
    std::string name = "addr2line";
    for_each_line(
        "for v in -22 -21 -20 -19 -18 -17 -16 -15 -14 ''; do "
        "if command -v llvm-addr2line$v; then break; fi; done",
        [&name](std::string_view line) { name = line; });
    return name;
  }();
  return found;
}

}  // namespace

void object_code::read_functions() {
  has_functions_ = true;
  for_each_line("nm -C -S --defined-only -- " + shell_word(path_), [this](std::string_view line) {
    // ADDRESS SIZE TYPE NAME
    const std::size_t first = line.find(' ');
    const std::size_t second = line.find(' ', first + 1);
    if (second == std::string_view::npos || second + 3 >= line.size()) {
      return;
    }
    const char type = line[second + 1];
    function f;
    const bool is_object = std::string_view("dDrRuV").find(type) != std::string_view::npos;
    if ((!is_object && std::string_view("tTwWvi").find(type) == std::string_view::npos) ||
        !parse_hex(line.substr(0, first), f.address) ||
        !parse_hex(line.substr(first + 1, second - first - 1), f.size)) {
      return;
    }
    f.name = line.substr(second + 3);
    (is_object ? objects_ : functions_).push_back(std::move(f));
  });
  // The smallest of those that begin at one address comes last, and is found.
  const auto smallest_last = [](const function& a, const function& b) {
    return std::tie(a.address, b.size, a.name) < std::tie(b.address, a.size, b.name);
  };
  std::sort(functions_.begin(), functions_.end(), smallest_last);
  std::sort(objects_.begin(), objects_.end(), smallest_last);
}

const std::vector<object_code::function>& object_code::functions() {
  if (!has_functions_) {
    read_functions();
  }
  return functions_;
}

const object_code::function* object_code::function_from(std::uint64_t address) {
  const function* found = function_around(address);
  return found != nullptr && found->address == address ? found : nullptr;
}

const object_code::function* object_code::function_around(std::uint64_t address) {
  return around(functions(), address);
}

// The end of an array may be the beginning of a table: who names the beginning of the array, too, means the array.
// Tables that lie side by side are each of a loop, and not gone through.
std::vector<std::uint64_t> object_code::users_of_table(std::uint64_t table, const table_map& tables) {
  std::vector<std::uint64_t> users = references_[table];
  const function* const before = around(objects_, table - 1);
  if (before == nullptr || tables.contains(before->address)) {
    return users;
  }
  for (const std::uint64_t begin : references_[before->address]) {
    const function* const f = function_around(begin);
    std::erase_if(users, [&](std::uint64_t at) { return f != nullptr && function_around(at) == f; });
  }
  return users;
}

// Who names a table that names a function may call it.
void object_code::read_tables(bool fixed) {
  table_map tables;
  const auto in_table = [&](std::uint64_t at, std::uint64_t target) {
    const function* const table = around(objects_, at);
    if (table != nullptr && function_from(target) != nullptr) {
      tables[table->address].push_back(target);
    }
  };
  if (fixed) {
    // The addresses stand in the tables themselves.
    for_each_word(path_, in_table);
  } else {
    //     0000000000003d90 R_X86_64_RELATIVE  *ABS*+0x0000000000001170
    for_each_line("objdump -R -- " + shell_word(path_), [&](std::string_view line) {
      constexpr std::string_view k_base = "*ABS*+0x";
      const std::size_t base = line.find(k_base);
      std::uint64_t at = 0;
      std::uint64_t target = 0;
      if (base != std::string_view::npos && parse_hex(line.substr(0, line.find(' ')), at) &&
          parse_hex(line.substr(base + k_base.size()), target)) {
        in_table(at, target);
      }
    });
  }
  for (const auto& [table, named] : tables) {
    const std::vector<std::uint64_t> users = users_of_table(table, tables);
    for (const std::uint64_t target : named) {
      std::vector<std::uint64_t>& all = references_[target];
      all.insert(all.end(), users.begin(), users.end());
    }
  }
}

void object_code::read_references() {
  has_references_ = true;
  functions();  // and objects
  const bool fixed = has_fixed_addresses(path_);
  const std::string command = "objdump -d -w --no-show-raw-insn -- " + shell_word(path_);
  for_each_line(command, [&](std::string_view line) {
    //     1139:	call   1030 <name>
    const std::size_t colon = line.find(":\t");
    if (colon == std::string_view::npos) {
      return;
    }
    std::uint64_t at = 0;
    const std::size_t begin = line.find_first_not_of(' ');
    if (!parse_hex(line.substr(begin, colon - begin), at)) {
      return;
    }
    std::uint64_t target = 0;
    const std::size_t open = line.rfind(" <");
    if (open != std::string_view::npos && line.ends_with('>')) {
      // "<name+0x10>" is in the middle of one.
      const std::size_t space = line.find_last_of(" \t#", open - 1);
      if (line.find('+', open) == std::string_view::npos &&
          parse_hex(line.substr(space + 1, open - space - 1), target)) {
        references_[target].push_back(at);
      }
      return;
    }
    const std::size_t number = line.find("$0x", colon);
    if (fixed && number != std::string_view::npos) {
      const std::size_t end = std::min(line.find_first_of(", ", number), line.size());
      if (parse_hex(line.substr(number + 3, end - number - 3), target) &&
          (function_from(target) != nullptr || around(objects_, target) != nullptr)) {
        references_[target].push_back(at);
      }
    }
  });
  read_tables(fixed);
}

const std::vector<std::uint64_t>& object_code::references(std::uint64_t address) {
  if (!has_references_) {
    read_references();
  }
  return references_[address];
}

void object_code::look_up(const std::vector<std::uint64_t>& addresses) {
  // A command line has an end.
  constexpr std::size_t k_at_once = 2000;
  std::vector<std::uint64_t> wanted;
  for (const std::uint64_t address : addresses) {
    if (frames_.try_emplace(address).second) {
      wanted.push_back(address);
    }
  }
  for (std::size_t begin = 0; begin < wanted.size(); begin += k_at_once) {
    std::string command = shell_word(addr2line()) + " -a -i -f -C -e " + shell_word(path_);
    for (std::size_t i = begin; i < std::min(begin + k_at_once, wanted.size()); ++i) {
      command += fmt::format(" {:x}", wanted[i]);
    }
    std::vector<code_frame>* frames = nullptr;
    code_frame frame;
    bool has_function = false;
    // 0x1139, and then for each frame its function and FILE:LINE.
    for_each_line(command, [&](std::string_view line) {
      std::uint64_t address = 0;
      if (!has_function && line.starts_with("0x") && parse_hex(line.substr(2), address)) {
        frames = &frames_[address];
        return;
      }
      if (frames == nullptr) {
        return;
      }
      if (!has_function) {
        frame = {};
        frame.function = line == "??" ? "" : line;
        has_function = true;
        return;
      }
      has_function = false;
      const std::size_t colon = line.rfind(':');
      if (colon != std::string_view::npos && !line.starts_with("??")) {
        const char* const digits = line.data() + colon + 1;
        std::from_chars(digits, line.data() + line.size(), frame.line);
        if (frame.line != 0) {
          frame.file = line.substr(0, colon);
        }
      }
      frames->push_back(frame);
    });
  }
}

const std::vector<code_frame>& object_code::frames(std::uint64_t address) {
  look_up({address});
  return frames_[address];
}

}  // namespace takt::tools
