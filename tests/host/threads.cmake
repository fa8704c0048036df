# Programs about threads that need to know something.
takt_add_host_test(cancelled_test ARGS "${PROJECT_SOURCE_DIR}/tests/package/exports.txt")
