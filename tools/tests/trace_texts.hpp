// Traces as the library writes them, for the tests of takt trace.
#pragma once

#include <string>

#include <fmt/format.h>

namespace takt::tools {

// Two workers for one millisecond: the first runs one place for 900 us, the second sleeps, steals,
// and runs another for 300.
inline std::string trace_text(int pid, double began_us) {
  return fmt::format(
      R"({{"displayTimeUnit":"ms","traceEvents":[
{{"ph":"M","name":"process_name","pid":{0},"tid":0,"args":{{"name":"program"}}}},
{{"ph":"M","name":"thread_name","pid":{0},"tid":0,"args":{{"name":"worker 0"}}}},
{{"ph":"X","pid":{0},"tid":0,"ts":50,"dur":100,"cat":"idle","name":"idle"}},
{{"ph":"i","pid":{0},"tid":0,"ts":200,"s":"t","cat":"promotion","name":"promotion","args":{{"depth":0,"site":1}}}},
{{"ph":"i","pid":{0},"tid":0,"ts":210,"s":"t","cat":"beat","name":"beat"}},
{{"ph":"X","pid":{0},"tid":0,"ts":150,"dur":900,"cat":"call","name":"program+0x10","args":{{"site":0,"then":"done"}}}},
{{"ph":"M","name":"thread_name","pid":{0},"tid":1,"args":{{"name":"worker 1"}}}},
{{"ph":"i","pid":{0},"tid":1,"ts":250,"s":"t","cat":"steal","name":"steal","args":{{"victim":0}}}},
{{"ph":"X","pid":{0},"tid":1,"ts":250,"dur":300,"cat":"task","name":"program+0x20","args":{{"site":1,"then":"done"}}}},
{{"ph":"X","pid":{0},"tid":1,"ts":550,"dur":500,"cat":"asleep","name":"asleep"}}
],"otherData":{{"takt_trace":1,"pid":{0},"began_us":{1},"seconds":0.00105,"ring":100,"dropped":3,
"workers":[{{"worker":0,"thread":"program","events":5,"dropped":3,"from_us":50}},
{{"worker":1,"thread":"takt","events":5,"dropped":0,"from_us":250}}],
"runtimes":[{{"at_us":1,"workers":2,"beat_us":30}}],
"sites":[{{"object":"/no/such/program","address":16,"name":""}},{{"object":"/no/such/program","address":32,"name":""}}]
}}}}
)",
      pid, began_us);
}

}  // namespace takt::tools
