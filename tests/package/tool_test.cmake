# The installed takt command: answers on stdout, one line on stderr and exit code 2 for what it
# does not understand, machines that scale can read, a doctor whose JSON says what this machine
# has, and a tune whose settings file the runtime reads.
#
# Variables: TOOL, VERSION, MACHINES (a folder), SCRATCH (a folder that this test empties)

# The user who runs the tests may have a settings file, and it must stay as it is.
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")
set(ENV{HOME} "${SCRATCH}/home")
# Empty, and not none: CMake cannot set a variable to nothing.
set(ENV{TAKT_SETTINGS} "/dev/null")
unset(ENV{XDG_CONFIG_HOME})
unset(ENV{TAKT_BEAT_US})

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
foreach(arguments IN ITEMS
    "--help" "doctor;--help" "doctor;--runs;1" "tune;--help" "run;--help" "scale;--help"
    "trace;--help")
  run_tool(${arguments})
  expect_good()
endforeach()
foreach(arguments IN ITEMS
    "" "bogus" "--bogus" "doctor;--bogus" "doctor;extra" "doctor;--runs;x" "doctor;--runs;0"
    "tune;--bogus" "tune;extra" "tune;--runs;x" "tune;--runs;0" "tune;--bound;0" "tune;--bound;x"
    "tune;--write" "tune;--write;" "tune;--write;${SCRATCH}/no/such/folder/settings"
    "tune;--write;${SCRATCH}" "tune;--write;/dev/null" "tune;--write;/proc/settings"
    "tune;--write;${SCRATCH}/never;--no-write"
    "tune;--svg" "tune;--svg;${SCRATCH};--no-write" "tune;--svg;/proc/x.svg;--no-write"
    "tune;--write;${SCRATCH}/never;--svg;${SCRATCH}/no/such/folder/x.svg"
    "run" "run;--" "run;--bogus;true" "run;--memory;much;true" "run;--memory;0;true" "run;--memory;101%;true"
    "run;--policy;asyncdf;true" "run;--;${SCRATCH}/never"
    "scale" "scale;--bogus" "scale;--workers;0;true" "scale;--machine;${SCRATCH}/never;true"
    "scale;--html;${SCRATCH}/no/such/folder/x;true" "scale;--;${SCRATCH}/never"
    "trace" "trace;--bogus" "trace;--events;1;true" "trace;--json;${SCRATCH}/no/such/folder/x;true"
    "trace;--html;${SCRATCH}/never;--json;${SCRATCH}/never;true" "trace;--from;${SCRATCH}/never"
    "trace;--html;${SCRATCH}/x;--json;${SCRATCH}/y;--;true" "trace;--html;${SCRATCH}/x;--json;${SCRATCH}/y;--;${SCRATCH}/never"
    # TAKT_SETTINGS is no file that can be written.
    "tune")
  run_tool(${arguments})
  expect_refusal()
endforeach()
execute_process(COMMAND "${CMAKE_COMMAND}" -E env TAKT_SETTINGS= "${TOOL}" tune
  RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
set(what "takt tune without a settings file")
expect_refusal()

# Refused because of the program, so the machine was not.
file(GLOB machines "${MACHINES}/*.json")
list(LENGTH machines count)
if(NOT count EQUAL 4)
  message(FATAL_ERROR "${MACHINES} has ${count} machines")
endif()
foreach(machine IN LISTS machines)
  cmake_path(GET machine STEM name)
  foreach(said IN ITEMS "${machine}" "${name}")
    run_tool(scale --runs 1 --html "${SCRATCH}/never" --machine "${said}" -- true)
    expect_refusal()
    if(NOT err MATCHES "true with 1 worker: made no parallel call")
      message(FATAL_ERROR "${what}: ${err}")
    endif()
  endforeach()
endforeach()

foreach(file IN ITEMS man/man1/takt.1.gz man/man1/takt-run.1.gz bash-completion/completions/takt zsh/*/_takt)
  file(GLOB found "${MACHINES}/../../${file}")
  if(NOT found)
    message(FATAL_ERROR "not installed: ${file}")
  endif()
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

# Each worker has a CPU, as there are no more of them by default.
string(JSON placed LENGTH "${out}" levels cpu_of_worker)
if(NOT placed EQUAL usable)
  message(FATAL_ERROR "takt doctor: ${placed} of ${usable} workers have a CPU\n${out}")
endif()

# The policy in force, in both forms: the one that TAKT_POLICY names, or the default's own name.
foreach(policy IN ITEMS "" random adws)
  set(ENV{TAKT_POLICY} "${policy}")
  if(policy STREQUAL "")
    unset(ENV{TAKT_POLICY})
    set(policy random)
  endif()
  set(form "--json")
  set(wanted "\"policy\": \"${policy}\"")
  if(policy STREQUAL random)
    set(form)
    set(wanted "policy: ${policy},")
  endif()
  run_tool(doctor --runs 1 ${form})
  expect_good()
  if(NOT out MATCHES "${wanted}")
    message(FATAL_ERROR "takt doctor: the policy is ${policy}, and it says\n${out}")
  endif()
endforeach()
unset(ENV{TAKT_POLICY})

# Threads for which the address space has no room, and who limits it.
execute_process(COMMAND sh -c "ulimit -v 300000 && TAKT_WORKERS=1000 exec '${TOOL}' doctor --runs 1"
  RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT code EQUAL 0 OR NOT out MATCHES "threads +[0-9]+ started[^\n]*; LIMITED to [0-9]+ of 999 by[^\n]* see ulimit -v\n")
  message(FATAL_ERROR "takt doctor under a limit of the address space: exit code ${code}\n${out}${err}")
endif()

file(GLOB_RECURSE left "${SCRATCH}/*")
if(left)
  message(FATAL_ERROR "takt: refused, and yet it left ${left}")
endif()

# What tune writes must be what the runtime reads, wherever that is.
function(expect_beat where)
  file(STRINGS "${where}" beat REGEX "^TAKT_BEAT_US=[0-9]+$")
  string(REPLACE "TAKT_BEAT_US=" "" beat "${beat}")
  run_tool(doctor --json --runs 1)
  string(JSON used GET "${out}" config beat_us)
  if(NOT code EQUAL 0 OR NOT err STREQUAL "" OR NOT used STREQUAL beat)
    message(FATAL_ERROR "${where} says '${beat}' and the runtime '${used}': ${err}")
  endif()
  file(GLOB left "${where}.*")
  if(left)
    message(FATAL_ERROR "takt tune left ${left}")
  endif()
endfunction()

# tau needs runs with promotions to be slower, which one pair on a busy machine may not show.
function(run_tune)
  foreach(attempt RANGE 4)
    run_tool(tune ${ARGN})
    if(code EQUAL 0)
      break()
    endif()
  endforeach()
  expect_good()
  set(out "${out}" PARENT_SCOPE)
endfunction()

set(picture "${SCRATCH}/picture.svg")
run_tune(--runs 1 --bound 2 --svg "${picture}" --write "${SCRATCH}/named")
foreach(wanted IN ITEMS "N for 5%" "N for 2%" "fork recursion" "loop nest" "mergesort" "10000  "
    "the shortest within 2% of the best")
  if(NOT out MATCHES "${wanted}")
    message(FATAL_ERROR "takt tune: no '${wanted}' in\n${out}")
  endif()
endforeach()
file(READ "${picture}" svg)
if(NOT svg MATCHES "^<svg .*<polyline.*<polyline.*<polyline.*</svg>\n$")
  message(FATAL_ERROR "takt tune: no picture\n${svg}")
endif()
set(ENV{TAKT_SETTINGS} "${SCRATCH}/named")
expect_beat("${SCRATCH}/named")

# Where it writes without --write, from what it says of places that are none.
unset(ENV{TAKT_SETTINGS})
file(WRITE "${SCRATCH}/file" "")
foreach(place IN ITEMS "HOME;file/home;file/home/.config" "XDG_CONFIG_HOME;file/config;file/config")
  list(GET place 0 variable)
  list(GET place 1 value)
  list(GET place 2 folder)
  set(ENV{${variable}} "${SCRATCH}/${value}")
  run_tool(tune)
  expect_refusal()
  if(NOT err MATCHES "${SCRATCH}/${folder}/takt/settings")
    message(FATAL_ERROR "takt tune: ${err}")
  endif()
endforeach()
