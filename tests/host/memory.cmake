# Programs about stacks and memory that need more than the defaults.
if(NOT TARGET host_ended_threads_test)
  takt_add_host_test(ended_threads_test)
  # The same where no key of pthreads is left.
  add_test(NAME host.ended_threads_without_keys COMMAND host_ended_threads_test x)
  set_tests_properties(host.ended_threads_without_keys PROPERTIES LABELS host TIMEOUT 300 ENVIRONMENT "TAKT_WORKERS=2")
endif()

# Under the library that watches allocations, alone and in front of other allocators.
if(TARGET takt_preload)
  find_package(nlohmann_json REQUIRED)
  takt_add_host_test(watched_test LIBRARIES takt::static nlohmann_json::nlohmann_json
    ENVIRONMENT "LD_PRELOAD=$<TARGET_FILE:takt_preload>")
  add_dependencies(host_watched_test takt_preload)
  foreach(allocator IN ITEMS jemalloc tcmalloc_minimal)
    find_library(TAKT_${allocator} NAMES ${allocator} lib${allocator}.so.2 lib${allocator}.so.4)
    if(TAKT_${allocator})
      add_test(NAME host.watched_${allocator} COMMAND host_watched_test)
      set(preload "LD_PRELOAD=$<TARGET_FILE:takt_preload>:${TAKT_${allocator}}")
    else()
      add_test(NAME host.watched_${allocator} COMMAND "${CMAKE_COMMAND}" -E echo "skipped: lib${allocator} is not here")
      set_tests_properties(host.watched_${allocator} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped:")
      set(preload)
    endif()
    set_tests_properties(host.watched_${allocator} PROPERTIES LABELS host TIMEOUT 300 ENVIRONMENT "${preload}")
  endforeach()
  # An executable at a fixed address that takes the address of malloc has one of its own for it.
  takt_add_host_test(watched_no_pie_test SOURCES watched_test.cpp address_of_malloc.cpp OPTIONS -fno-pie
    LIBRARIES takt::static nlohmann_json::nlohmann_json -no-pie
    ENVIRONMENT "LD_PRELOAD=$<TARGET_FILE:takt_preload>")
  add_dependencies(host_watched_no_pie_test takt_preload)
  # Not behind another malloc, in front of such an executable either.
  add_executable(host_own_malloc own_malloc.cpp)
  target_link_options(host_own_malloc PRIVATE -rdynamic)
  add_test(NAME host.watched_refuses COMMAND sh -c
    "LD_PRELOAD=$1 $2 2>&1 | grep -c '^takt: libtakt-memory.so: .*: allocations cannot be seen$'" sh
    "$<TARGET_FILE:takt_preload>" "$<TARGET_FILE:host_own_malloc>")
  set_tests_properties(host.watched_refuses PROPERTIES LABELS host TIMEOUT 60)
  add_library(host_own_malloc_library SHARED own_malloc.cpp)
  add_test(NAME host.watched_refuses_no_pie COMMAND sh -c
    "LD_PRELOAD=$1:$2 $3 2>&1 | grep -c '^takt: libtakt-memory.so: .*: allocations cannot be seen$'" sh
    "$<TARGET_FILE:host_own_malloc_library>" "$<TARGET_FILE:takt_preload>" "$<TARGET_FILE:host_watched_no_pie_test>")
  set_tests_properties(host.watched_refuses_no_pie PROPERTIES LABELS host TIMEOUT 60)
  add_dependencies(takt_tests_host host_own_malloc host_own_malloc_library)
endif()
if(TARGET takt_preload AND TARGET takt_tool)
  # The command brings the library along, and ends as the program does.
  add_test(NAME host.watched_by_takt_run COMMAND takt_tool run --memory 1G -- "$<TARGET_FILE:host_watched_test>")
  set_tests_properties(host.watched_by_takt_run PROPERTIES LABELS host TIMEOUT 300)
endif()
if(TARGET takt_preload AND TARGET takt_tool)
  # What malloc is told, unless the user has said something: where tasks may be made to wait, to give back what is freed;
  # and to have one arena, if the address space is smaller than what its arenas reserve, 512 MiB for each CPU.
  add_test(NAME host.watched_tells_malloc COMMAND sh -c
    "t() { $0 run \"$@\" -- sh -c 'echo $MALLOC_MMAP_THRESHOLD_/$MALLOC_ARENA_MAX' | grep -qx \"$w\" || { echo $w; exit 1; }; }
     unset MALLOC_MMAP_THRESHOLD_ MALLOC_ARENA_MAX TAKT_MEMORY; ulimit -v unlimited; ulimit -d unlimited
     w=/; t; w=65536/; t --memory 1G
     export MALLOC_MMAP_THRESHOLD_=131072; w=131072/; t --memory 1G
     ulimit -S -v $((($(nproc --all) + 1) * 524288)); w=131072/; t --memory 1G
     ulimit -S -v 500000; w=131072/; t; w=131072/1; t --memory 1G
     export MALLOC_ARENA_MAX=2; w=131072/2; t --memory 1G"
    "$<TARGET_FILE:takt_tool>")
  set_tests_properties(host.watched_tells_malloc PROPERTIES LABELS host TIMEOUT 60)
  # What one worker needs is for the program to read; without a budget it says nothing.
  add_test(NAME host.watched_by_takt_run_with_a_need COMMAND sh -c
    "unset TAKT_MEMORY TAKT_MEMORY_NEED
     test \"$($0 run --memory 2G --memory-need 500M -- sh -c 'echo $TAKT_MEMORY/$TAKT_MEMORY_NEED')\" = 2G/500M || exit 1
     test \"$(TAKT_MEMORY=1G $0 run --memory-need 5 -- sh -c 'echo $TAKT_MEMORY/$TAKT_MEMORY_NEED')\" = 1G/5 || exit 1
     for bad in 500M '0 --memory 1G' '50% --memory 1G' '1.5G --memory 1G'; do
       said=$($0 run --memory-need $bad -- true 2>&1); code=$?
       test $code = 2 && test $(echo \"$said\" | grep -c '^takt run: --memory-need ') = 1 && test $(echo \"$said\" | wc -l) = 1 || exit 1
     done"
    "$<TARGET_FILE:takt_tool>")
  set_tests_properties(host.watched_by_takt_run_with_a_need PROPERTIES LABELS host TIMEOUT 60)
endif()
