// What binutils know of a program or library: its functions, who names them, and which lines of the
// source an instruction comes from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace takt::tools {

// A function that an instruction is part of: itself, or inlined into the next one.
struct code_frame {
  std::string function;  // demangled, with its parameters; "" if unknown
  std::string file;      // "" if unknown
  unsigned line = 0;     // of the instruction, or of the call that was inlined
};

// Asks nm, objdump and llvm-addr2line or addr2line, each when it is needed, and does with what there is: a program
// without symbols has no functions, and nothing here fails.
class object_code {
 public:
  struct function {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    std::string name;
  };

  explicit object_code(std::string path) : path_(std::move(path)) {}

  const std::vector<function>& functions();  // by address
  const function* function_from(std::uint64_t address);  // that begins there
  const function* function_around(std::uint64_t address);

  // Instructions that call, jump to or take the address of the function that begins there, or of a table
  // in which it is named.
  const std::vector<std::uint64_t>& references(std::uint64_t address);

  // Innermost first. look_up() asks for many at once: each question to addr2line reads all of the
  // debug information.
  void look_up(const std::vector<std::uint64_t>& addresses);
  const std::vector<code_frame>& frames(std::uint64_t address);

 private:
  void read_functions();
  void read_references();
  // Tables, and the functions that each names.
  using table_map = std::map<std::uint64_t, std::vector<std::uint64_t>>;
  void read_tables(bool fixed);
  std::vector<std::uint64_t> users_of_table(std::uint64_t table, const table_map& tables);

  std::string path_;
  bool has_functions_ = false;
  bool has_references_ = false;
  std::vector<function> functions_;
  std::vector<function> objects_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> references_;
  std::map<std::uint64_t, std::vector<code_frame>> frames_;
};

}  // namespace takt::tools
