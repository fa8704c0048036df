// Forks and loops of a program as a person would name them: by the place that calls them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace takt::tools {

// A fork or loop of the program, by the function of its tasks.
struct code_site {
  std::string object;  // the program or a library; "" for code in no fork or loop
  std::uint64_t address = 0;
  std::string name;  // if the library knew it
  double span_s = 0;  // virtual time, each moment divided among all code that ran then
  double work_s = 0;
};

// With debug information the lines of the program that a fork or loop belongs to, also if it is in
// the middle of an algorithm of takt: "mesh.cpp:120 takt::sort in refine", or "mesh.cpp:120,
// mesh.cpp:131 takt::sort" where the compiler has made one piece of code for both. Without, the
// name of the function; "./program+0x1f40" for a program without symbols.
//
// The function of the tasks is named where the fork or loop is made, so the way goes from there up
// to whoever calls that, past everything that is takt's or the system's (object_code.hpp).
std::vector<std::string> places_of(const std::vector<code_site>& sites);
std::string place_of(const code_site& site);

// The part of a demangled name that is the program's own: its lambda, or else all of it.
std::string own_part(const std::string& function);

// The name alone: "takt::sort" of "void takt::sort<int*>(int*, int*)", "main::{lambda#1}" of
// "main::{lambda(int)#1}::operator()(int) const".
std::string bare_name(const std::string& function);

}  // namespace takt::tools
