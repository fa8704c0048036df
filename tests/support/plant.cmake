# Copies of shipped sources with mistakes planted in them, for twins: tests that must fail on such a copy. The shipped text
# itself carries no mark: a mistake replaces a piece of it, which must be there exactly once. The copies of one set are made
# together.

# takt_plant(SET FILE TEXT REPLACEMENT): in the copy of FILE, a path in the project.
function(takt_plant set path find replacement)
  get_property(known GLOBAL PROPERTY "takt_planted_${set}_${path}" SET)
  if(known)
    get_property(text GLOBAL PROPERTY "takt_planted_${set}_${path}")
  else()
    file(READ "${PROJECT_SOURCE_DIR}/${path}" text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${path}")
    set_property(GLOBAL APPEND PROPERTY takt_planted_${set} "${path}")
  endif()
  string(FIND "${text}" "${find}" first)
  string(FIND "${text}" "${find}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "${path}: this text, where a mistake is planted for tests/${set}, is not there once:\n${find}")
  endif()
  string(REPLACE "${find}" "${replacement}" text "${text}")
  set_property(GLOBAL PROPERTY "takt_planted_${set}_${path}" "${text}")
endfunction()

# Writes the copies below DIRECTORY; the list of their paths goes to the variable OUT.
function(takt_write_planted set directory out)
  get_property(files GLOBAL PROPERTY takt_planted_${set})
  foreach(path IN LISTS files)
    get_property(text GLOBAL PROPERTY "takt_planted_${set}_${path}")
    # Only if it has changed: what includes it need not be compiled again.
    file(CONFIGURE OUTPUT "${directory}/${path}" CONTENT "${text}" @ONLY)
  endforeach()
  set(${out} "${files}" PARENT_SCOPE)
endfunction()
