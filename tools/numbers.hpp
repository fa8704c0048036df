// Numbers as all commands show and sum them up.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace takt::tools {

// Seconds with a unit that suits them.
std::string shown_time(double seconds);

// Exact or in the smaller unit: 1.5 MiB is 1536 KiB and never rounded.
std::string readable_bytes(std::size_t bytes);

// The middle value; of an even number of values, the mean of the middle two. Not empty.
double median(std::vector<double> values);

// "median (least-most)" with that many digits after the point. Not empty.
std::string shown_spread(const std::vector<double>& values, int digits);
// The same with another number than the median.
std::string shown_spread(double middle, const std::vector<double>& values, int digits);

}  // namespace takt::tools
