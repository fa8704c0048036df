# The installed takt command: answers on stdout, one line on stderr and exit code 2 for what it
# does not understand, and a doctor whose JSON says what this machine has.
#
# Variables: TOOL, VERSION
function(run_tool)
  execute_process(COMMAND "${TOOL}" ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  set(what "takt ${ARGN}" PARENT_SCOPE)
  set(code "${code}" PARENT_SCOPE)
  set(out "${out}" PARENT_SCOPE)
  set(err "${err}" PARENT_SCOPE)
endfunction()

function(expect_good)
  if(NOT code EQUAL 0 OR out STREQUAL "" OR NOT err STREQUAL "")
    message(FATAL_ERROR "${what}: exit code ${code}\nstdout: ${out}\nstderr: ${err}")
  endif()
endfunction()

function(expect_refusal)
  if(NOT code EQUAL 2 OR NOT out STREQUAL "" OR NOT err MATCHES "^takt[^\n]*: [^\n]+\n$")
    message(FATAL_ERROR
      "${what}: wanted one line and exit code 2, got ${code}\nstdout: ${out}\nstderr: ${err}")
  endif()
endfunction()

run_tool(--version)
expect_good()
if(NOT out STREQUAL "takt ${VERSION}\n")
  message(FATAL_ERROR "${what}: ${out}")
endif()
foreach(arguments IN ITEMS "--help" "doctor;--help" "doctor;--runs;1")
  run_tool(${arguments})
  expect_good()
endforeach()
foreach(arguments IN ITEMS
    "" "bogus" "--bogus" "doctor;--bogus" "doctor;extra" "doctor;--runs;x" "doctor;--runs;0")
  run_tool(${arguments})
  expect_refusal()
endforeach()

run_tool(doctor --json --runs 3)
expect_good()
string(JSON usable GET "${out}" cpus usable)
string(JSON affinity GET "${out}" cpus affinity)
string(JSON read_ns GET "${out}" clock read_ns)
string(JSON runs GET "${out}" tau runs)
string(JSON promotions GET "${out}" tau promotions)
if(usable LESS 1 OR usable GREATER affinity OR NOT read_ns GREATER 0)
  message(FATAL_ERROR "takt doctor: impossible facts\n${out}")
endif()
# Whether the slow runs were slower is up to the machine; that they promoted is not.
if(runs LESS 1 OR promotions LESS 1)
  message(FATAL_ERROR "takt doctor: no promotion in the runs that measure tau\n${out}")
endif()
