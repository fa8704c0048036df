// Which forks and loops keep the span long, as a person would name them.
#pragma once

#include <cstdint>
#include <string>

namespace takt::tools {

// A fork or loop of the program, by the function of its tasks.
struct code_site {
  std::string object;  // the program or a library; "" for code in no fork or loop
  std::uint64_t address = 0;
  std::string name;  // if the library knew it
  double span_s = 0;  // virtual time, each moment divided among all code that ran then
  double work_s = 0;
};

// "mesh.cpp:120, refine(mesh&)::{lambda(int)#1}" with debug information, only the name without it,
// "./program+0x1f40" for a program without symbols. Asks nm and addr2line, and does with what there
// is: never fails.
std::string place_of(const code_site& site);

// The part of a demangled name that is the program's own: its lambda, or else all of it.
std::string own_part(const std::string& function);

}  // namespace takt::tools
