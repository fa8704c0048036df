# Programs that are not compiled as the library was. They are built when the tests run: with other compilers, other
# standard libraries and other flags than those of this preset.
#
# A few of them belong to the default check. All flags, with both compilers, are tried in the preset clang, which only
# ./check --all has.
find_package(Boost 1.74 REQUIRED COMPONENTS context)

set(takt_include_dirs "-I$<JOIN:$<TARGET_PROPERTY:takt::static,INTERFACE_INCLUDE_DIRECTORIES>,;-I>")
set(takt_link_static -DTAKT_STATIC "$<TARGET_FILE:takt::static>" "$<TARGET_FILE:Boost::context>" -pthread)
set(takt_link_shared "$<TARGET_FILE:takt::shared>" "-Wl,-rpath,$<TARGET_FILE_DIR:takt::shared>" -pthread)

function(takt_build_test name)
  set_tests_properties(host.${name} PROPERTIES LABELS host TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT "TAKT_WORKERS=2")
endfunction()

# takt_add_other_build(NAME static|shared COMPILER FLAG...): other_build.cpp with these flags.
function(takt_add_other_build name kind compiler)
  add_test(NAME host.build.${name}
    COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/other_build_test.sh"
      "${CMAKE_CURRENT_BINARY_DIR}/build.${name}" "${CMAKE_CURRENT_SOURCE_DIR}/other_build.cpp"
      "${compiler}" -std=c++20 ${ARGN} "${takt_include_dirs}" ${takt_link_${kind}}
    COMMAND_EXPAND_LISTS)
  takt_build_test(build.${name})
endfunction()

find_program(TAKT_HOST_GXX NAMES g++ DOC "GCC, for programs of the host suite")
find_program(TAKT_HOST_CLANGXX NAMES clang++-19 clang++ DOC "Clang, for programs of the host suite")
set(compilers ${TAKT_HOST_GXX} ${TAKT_HOST_CLANGXX})

# Once is enough: not in every preset that has this suite. And not for another machine: these compilers are for this one.
if(NOT "package" IN_LIST TAKT_TEST_SUITES OR CMAKE_CROSSCOMPILING)
  set(compilers)
endif()

set(wanted)
if(compilers AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  foreach(compiler IN LISTS compilers)
    cmake_path(GET compiler FILENAME id)
    foreach(kind IN ITEMS static shared)
      takt_add_other_build(${id}.${kind}.O0 ${kind} "${compiler}" -O0 -fno-rtti)
      takt_add_other_build(${id}.${kind}.Og ${kind} "${compiler}" -Og -fno-omit-frame-pointer -fno-inline)
      takt_add_other_build(${id}.${kind}.Os ${kind} "${compiler}" -Os -fno-plt -fcf-protection=full)
      takt_add_other_build(${id}.${kind}.O3 ${kind} "${compiler}" -O3 -march=native -std=c++23 -fwrapv)
      takt_add_other_build(${id}.${kind}.pic ${kind} "${compiler}" -O2 -fPIC -fvisibility=hidden)
      takt_add_other_build(${id}.${kind}.no_exceptions ${kind} "${compiler}" -O2 -fno-exceptions)
      takt_add_other_build(${id}.${kind}.old_strings ${kind} "${compiler}" -O2 -D_GLIBCXX_USE_CXX11_ABI=0)
      takt_add_other_build(${id}.${kind}.assertions ${kind} "${compiler}"
        -O2 -D_GLIBCXX_ASSERTIONS -D_FORTIFY_SOURCE=2 -fstack-protector-all -fstack-clash-protection)
      takt_add_other_build(${id}.${kind}.medium ${kind} "${compiler}" -O2 -mcmodel=medium)
      takt_add_other_build(${id}.${kind}.large ${kind} "${compiler}" -O2 -mcmodel=large)
      takt_add_other_build(${id}.${kind}.mixed ${kind} "${compiler}"
        -std=gnu++20 -O2 -ffast-math -funsigned-char -fshort-enums)
      takt_add_other_build(${id}.${kind}.lto ${kind} "${compiler}" -O2 -flto)
      takt_add_other_build(${id}.${kind}.address ${kind} "${compiler}" -O1 -fsanitize=address)
      takt_add_other_build(${id}.${kind}.undefined ${kind} "${compiler}" -O1 -fsanitize=undefined)
    endforeach()
    takt_add_other_build(${id}.static.all_static static "${compiler}" -O2 -static)
    takt_add_other_build(${id}.static.pie static "${compiler}" -O2 -fPIE -static-pie)
    takt_add_other_build(${id}.static.no_pie static "${compiler}" -O2 -fno-pie -no-pie)
  endforeach()
  takt_add_other_build(libcxx shared "${TAKT_HOST_CLANGXX}" -O2 -stdlib=libc++)
  takt_add_other_build(libcxx_native shared "${TAKT_HOST_CLANGXX}" -O2 -stdlib=libc++ -march=native -fno-exceptions)
elseif(compilers)
  if(TAKT_HOST_GXX)
    takt_add_other_build(plain static "${TAKT_HOST_GXX}" -O0 -fno-exceptions -fno-rtti)
    takt_add_other_build(old_strings static "${TAKT_HOST_GXX}" -O1 -D_GLIBCXX_USE_CXX11_ABI=0)
    takt_add_other_build(large static "${TAKT_HOST_GXX}" -O1 -mcmodel=large)
    takt_add_other_build(mixed static "${TAKT_HOST_GXX}"
      -std=gnu++20 -O2 -flto -ffast-math -funsigned-char -fshort-enums -fvisibility=hidden)
    takt_add_other_build(address static "${TAKT_HOST_GXX}" -O1 -fsanitize=address)
  endif()
  if(TAKT_HOST_CLANGXX)
    takt_add_other_build(libcxx shared "${TAKT_HOST_CLANGXX}" -O1 -stdlib=libc++)
    takt_add_other_build(address.clang shared "${TAKT_HOST_CLANGXX}" -O1 -fsanitize=address)
    # The library's calls are not checked, and call what is.
    takt_add_other_build(checked_calls static "${TAKT_HOST_CLANGXX}"
      -O1 -flto -fuse-ld=lld -fvisibility=hidden -fsanitize=cfi-icall)
  endif()
endif()

# What keeps something of a stack for each thread is refused by a sentence.
if(TAKT_HOST_CLANGXX IN_LIST compilers)
  foreach(kind IN ITEMS safe-stack shadow-call-stack)
    add_test(NAME host.refuses.${kind} COMMAND sh -c
      "echo '#include <takt/takt.hpp>' | \"$@\" -fsyntax-only -x c++ - 2>&1 | grep -c 'error: \"takt: .* compile without -fsanitize=${kind}\"'" sh
      "${TAKT_HOST_CLANGXX}" -std=c++20 -fsanitize=${kind} "${takt_include_dirs}"
      COMMAND_EXPAND_LISTS)
    takt_build_test(refuses.${kind})
  endforeach()
endif()

# A program of another ABI. And no function of the headers is in the static library, where the linker would keep the
# program's, with other flags.
if(compilers)
  add_test(NAME host.shares_no_function COMMAND sh -c
    "nm -C \"$0\" >\"$1\" && grep -q ' T takt_enter$' \"$1\" && ! grep -E ' [WVu] (.* )?takt::(detail::|[a-z_]+(<|[(]))' \"$1\""
    "$<TARGET_FILE:takt::static>" "${CMAKE_CURRENT_BINARY_DIR}/names_in_library")
  takt_build_test(shares_no_function)
  add_test(NAME host.abi_gate
    COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/abi_gate_test.sh" "${CMAKE_CURRENT_BINARY_DIR}/abi_gate"
      "$<TARGET_FILE:takt::shared>" "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/abi" "${CMAKE_CXX_COMPILER}")
  takt_build_test(abi_gate)
endif()

# Files of one program for different CPUs.
if(compilers AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  find_program(TAKT_QEMU_X86_64 NAMES qemu-x86_64 DOC "Runs programs on CPUs that this one is not")
  set(emulator "${TAKT_QEMU_X86_64}")
  if(NOT emulator)
    set(emulator none)
  endif()
  add_test(NAME host.variants
    COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/variants_test.sh" "${CMAKE_CURRENT_BINARY_DIR}/variants"
      "${emulator}"
      "${CMAKE_CURRENT_SOURCE_DIR}/variants.cpp" "${CMAKE_CXX_COMPILER}"
      -std=c++20 -O2 "${takt_include_dirs}" ${takt_link_static}
    COMMAND_EXPAND_LISTS)
  takt_build_test(variants)
endif()

# Files of one program by different compilers.
if(TAKT_HOST_GXX IN_LIST compilers AND TAKT_HOST_CLANGXX IN_LIST compilers)
  add_test(NAME host.compilers
    COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/compilers_test.sh" "${CMAKE_CURRENT_BINARY_DIR}/compilers"
      "${CMAKE_CURRENT_SOURCE_DIR}/variants.cpp" "${TAKT_HOST_GXX}" "${TAKT_HOST_CLANGXX}"
      -std=c++20 -O2 "${takt_include_dirs}" ${takt_link_static}
    COMMAND_EXPAND_LISTS)
  takt_build_test(compilers)
endif()

# Libraries that are closed while the program goes on.
foreach(kind IN ITEMS static shared)
  add_library(host_plugin_${kind} MODULE plugin.cpp)
  target_link_libraries(host_plugin_${kind} PRIVATE takt::${kind} takt_warnings)
endforeach()
takt_add_host_test(plugin_test LIBRARIES Threads::Threads
  ARGS "$<TARGET_FILE:host_plugin_shared>" "$<TARGET_FILE:host_plugin_static>")
add_dependencies(takt_tests_host host_plugin_static host_plugin_shared)

# Stacks that grow by pieces, where the compiler has them.
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS -fsplit-stack)
set(CMAKE_REQUIRED_LINK_OPTIONS -fsplit-stack)
check_cxx_source_runs("int main() { return 0; }" TAKT_SPLITS_STACKS)
unset(CMAKE_REQUIRED_FLAGS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(TAKT_SPLITS_STACKS)
  takt_add_host_test(split_stack_test OPTIONS -fsplit-stack LIBRARIES takt::static -fsplit-stack)
else()
  add_test(NAME host.split_stack_test COMMAND "${CMAKE_COMMAND}" -E echo "skipped: no split stacks")
  set_tests_properties(host.split_stack_test PROPERTIES LABELS host SKIP_REGULAR_EXPRESSION "^skipped:")
endif()
