# The programs about signals: more than one way to run each, and more than one file for some.

# takt_run_host_test(NAME OF_PROGRAM [ARGS argument...] [ENVIRONMENT NAME=VALUE...]): one more run of a program.
function(takt_run_host_test name program)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ARGS;ENVIRONMENT")
  add_test(NAME host.${name} COMMAND host_${program} ${arg_ARGS})
  set_tests_properties(host.${name} PROPERTIES LABELS host TIMEOUT 300 SKIP_RETURN_CODE 77
    ENVIRONMENT "TAKT_WORKERS=2;${arg_ENVIRONMENT}")
endfunction()

takt_add_host_test(signals_of_the_program_test)
takt_run_host_test(signals_of_the_program_chained signals_of_the_program_test ENVIRONMENT TAKT_SIGNAL=URG)

takt_add_host_test(signals_none_arrives_test ARGS block)
takt_run_host_test(signals_none_arrives_none_sent signals_none_arrives_test ENVIRONMENT TAKT_SIGNAL=none)
takt_run_host_test(signals_none_arrives_full_queue signals_none_arrives_test ARGS full)
takt_run_host_test(signals_none_arrives_refused signals_none_arrives_test ARGS refused)

takt_add_host_test(signals_small_stack_test)
takt_run_host_test(signals_small_stack_faults signals_small_stack_test ARGS faults)

add_library(host_two_copies_plugin MODULE two_copies_plugin.cpp)
target_compile_features(host_two_copies_plugin PRIVATE cxx_std_20)
target_link_libraries(host_two_copies_plugin PRIVATE takt::static takt_warnings)
takt_add_host_test(two_copies_test ARGS "$<TARGET_FILE:host_two_copies_plugin>")
add_dependencies(host_two_copies_test host_two_copies_plugin)

find_program(TAKT_GO go PATHS /usr/local/go/bin)
mark_as_advanced(TAKT_GO)
if(TAKT_GO)
  set(library "${CMAKE_CURRENT_BINARY_DIR}/go_runtime.so")
  set(sources "${CMAKE_CURRENT_SOURCE_DIR}/go_runtime")
  set(for_target)
  if(CMAKE_CROSSCOMPILING)
    set(for_target GOARCH=arm64 "CC=${CMAKE_C_COMPILER}")
  endif()
  add_custom_command(OUTPUT "${library}"
    COMMAND "${CMAKE_COMMAND}" -E env "GOCACHE=${CMAKE_CURRENT_BINARY_DIR}/go_cache" GOFLAGS=-buildvcs=false
      CGO_ENABLED=1 GOTOOLCHAIN=local ${for_target} "${TAKT_GO}" build -buildmode=c-shared -o "${library}" .
    WORKING_DIRECTORY "${sources}"
    DEPENDS "${sources}/go.mod" "${sources}/library.go"
    COMMENT "Building a Go library" VERBATIM)
  add_custom_target(host_go_runtime DEPENDS "${library}")
  takt_add_host_test(go_runtime_test ARGS "${library}")
  add_dependencies(host_go_runtime_test host_go_runtime)
endif()
