# The programs of run/ in a build with sanitizers, compiled with the same ones.

# Races take luck to be seen, and more than one worker.
set(sanitized_workers 3)
if(TAKT_SANITIZERS STREQUAL "thread" AND TAKT_LONG_TESTS)
  set(sanitized_workers "3 8")
endif()

# takt_sanitizer_test(NAME SOURCE [REPORT]): nothing is reported of the program; or REPORT, a regular expression, is.
function(takt_sanitizer_test name source)
  takt_clang_for(${source} clang)
  add_test(NAME plugin.sanitized.${name}
    COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/sanitizer_test.sh" "${CMAKE_CURRENT_BINARY_DIR}/.."
      "${CMAKE_CURRENT_BINARY_DIR}/sanitized/${name}" "${clang}" "${TAKT_SANITIZERS}" "${sanitized_workers}" "${source}"
      ${ARGN})
  set_tests_properties(plugin.sanitized.${name} PROPERTIES LABELS plugin TIMEOUT 120 SKIP_RETURN_CODE 77)
endfunction()

set(here "${CMAKE_CURRENT_SOURCE_DIR}/run")
list(TRANSFORM large_programs PREPEND "${here}/")
# For these the plugin lays out no memory but frames. AddressSanitizer at length.
set(without_memory
  "^(atomic|barrier|bounds|cancel|critical|collapse|chunks|empty|fib|flush|if_clause|limits|linear|loop_|locks|master|mutex|nested_|nowait|num_threads|order|orphaned|proc_bind|range_for|recursion|relations|schedule|sections|sieve|simd|single|strides|teams|thread_|types|waiting)")
set(of_each_kind "^(task_(fork|depend|reductions|objects|outlives|loops|locks)|taskloop|tasks|sparse_lu|reduction_nested|pooled|prologues|epilogues)$")
foreach(program IN LISTS large_programs programs)
  cmake_path(GET program STEM name)
  if(name MATCHES "${without_memory}" AND NOT TAKT_SANITIZERS STREQUAL "thread" AND NOT TAKT_LONG_TESTS)
    continue()
  endif()
  # ThreadSanitizer has the others, the large ones, and one of each kind; the rest at length.
  if(TAKT_SANITIZERS STREQUAL "thread" AND NOT TAKT_LONG_TESTS AND NOT name MATCHES "${without_memory}" AND
     NOT name MATCHES "${of_each_kind}" AND NOT program IN_LIST large_programs)
    continue()
  endif()
  # The sanitizer's qsort keeps its comparator in a variable of the thread, and here comparators wait for tasks.
  if(name STREQUAL "task_unseen" AND TAKT_SANITIZERS STREQUAL "thread")
    message(STATUS "plugin.sanitized.${name}: skipped, ThreadSanitizer's qsort cannot be left and come back to")
    continue()
  endif()
  if(name MATCHES "^(inscan_few|narrow_variables)$" AND NOT TAKT_SANITIZERS STREQUAL "thread")
    message(STATUS "plugin.sanitized.${name}: skipped, Clang's own count of these iterations overflows, and its array of none is reported")
    continue()
  endif()
  takt_sanitizer_test(${name} "${program}")
endforeach()

add_test(NAME plugin.sanitized.forks
  COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/forks_test.sh" "${CMAKE_CURRENT_BINARY_DIR}/.."
    "${CMAKE_CURRENT_BINARY_DIR}/sanitized/forks" "${here}/forks.cpp" 2 "-fsanitize=${TAKT_SANITIZERS}"
    -fno-sanitize-recover=all -fsanitize-link-c++-runtime)
set_tests_properties(plugin.sanitized.forks PROPERTIES LABELS plugin TIMEOUT 300)

# That anything would be reported.
if(TAKT_SANITIZERS STREQUAL "thread")
  takt_sanitizer_test(race_shared "${here}/races/shared.c" "shared.c:17")
  takt_sanitizer_test(race_locks "${here}/races/locks.c" "locks.c:(17|20)")
else()
  takt_sanitizer_test(error_beyond "${here}/errors/beyond.c" "heap-buffer-overflow")
  takt_sanitizer_test(error_overflow "${here}/errors/overflow.c" "overflow.c:8:.* signed integer overflow")
endif()
