# Programs about stacks and memory that need more than the defaults.
if(NOT TARGET host_ended_threads_test)
  takt_add_host_test(ended_threads_test)
  # The same where no key of pthreads is left.
  add_test(NAME host.ended_threads_without_keys COMMAND host_ended_threads_test x)
  set_tests_properties(host.ended_threads_without_keys PROPERTIES LABELS host TIMEOUT 300 ENVIRONMENT "TAKT_WORKERS=2")
endif()
