// `takt bench locality`: the figures of the ADWS paper's section 6, on a simulated machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/scale_machine.hpp"

namespace takt::tools {

// @returns the exit code: 0; 2 for wrong arguments and files; 1 for what went wrong otherwise. Both with one line on
// stderr.
int locality_command(int argc, char** argv);

// The machine with `workers` of its cores, the same number in each socket: what a socket shares, caches and bandwidth,
// is less in proportion; and with all caches divided by `shrink`. Throws usage_error if the cores cannot be had so, if
// a cache would be less than `grain`, or if the machine's file does not say what memory takes.
machine_description part_of(machine_description machine, unsigned workers, std::uint64_t shrink, std::uint64_t grain);

struct locality_options;
class simulations;

struct figure {
  std::string title;
  std::string note;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows{};
  std::vector<std::size_t> drawn{};  // the columns of its picture, all behind those that say what a row is about
};
// All that the options ask for, in the paper's order; runs what they need.
std::vector<figure> all_figures(const locality_options& options, const machine_description& machine, simulations& runs);
std::string to_text(const figure& table);
// A picture (SVG in a <figure>): bars of the columns that are drawn, for each row; "" without any.
std::string picture_of(const figure& f);

}  // namespace takt::tools
