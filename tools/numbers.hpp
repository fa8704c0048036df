// Numbers as all commands show and sum them up.
#pragma once

#include <string>
#include <vector>

namespace takt::tools {

// Seconds with a unit that suits them.
std::string shown_time(double seconds);

// The middle value; of an even number of values, the mean of the middle two. Not empty.
double median(std::vector<double> values);

}  // namespace takt::tools
