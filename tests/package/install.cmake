# Installs BINARY_DIR into an empty PREFIX; every public header has to arrive.
file(REMOVE_RECURSE "${PREFIX}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" --install "${BINARY_DIR}" --prefix "${PREFIX}"
  OUTPUT_QUIET
  COMMAND_ERROR_IS_FATAL ANY)

set(missing)
set(count 0)
foreach(base IN ITEMS include abi)
  file(GLOB_RECURSE headers RELATIVE "${SOURCE_DIR}/${base}"
    "${SOURCE_DIR}/${base}/*.h" "${SOURCE_DIR}/${base}/*.hpp")
  foreach(header IN LISTS headers)
    math(EXPR count "${count} + 1")
    if(NOT EXISTS "${PREFIX}/include/${header}")
      list(APPEND missing "${header}")
    endif()
  endforeach()
endforeach()
if(missing)
  list(JOIN missing ", " missing)
  message(FATAL_ERROR "not installed: ${missing}")
endif()
if(count EQUAL 0)
  message(FATAL_ERROR "no public header in ${SOURCE_DIR}")
endif()
