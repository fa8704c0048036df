// The namespace of takt's code, which says how it was compiled.
//
// Files of one program may be compiled with different flags. What the headers make of them are templates and inline
// functions, of which the linker keeps one per name, whoever needs it: one that uses instructions which this CPU does
// not have, that takes exceptions for another library's, or that is the serial elision. So all code whose meaning
// depends on flags lives in an inline namespace that names them; without such flags it is `takt` itself. Types that
// functions of a program hand to each other, as task_group, are outside of it: they look the same in all variants, and
// what they do is inlined, or a function of the variant.
#pragma once

#include <version>

// TAKT_BIT(name): 1 where the macro `name` is defined as 1, else 0; as a token that can be pasted.
#define TAKT_BIT(name) TAKT_BIT_(name)
#define TAKT_BIT_(value) TAKT_BIT__(TAKT_BIT_OF_##value, 0, )
#define TAKT_BIT__(...) TAKT_BIT___(__VA_ARGS__)
#define TAKT_BIT___(first, second, ...) second
#define TAKT_BIT_OF_1 , 1

#define TAKT_BITS(a, b, c, d, e, f) \
  TAKT_BITS_(TAKT_BIT(a), TAKT_BIT(b), TAKT_BIT(c), TAKT_BIT(d), TAKT_BIT(e), TAKT_BIT(f))
#define TAKT_BITS_(...) TAKT_BITS__(__VA_ARGS__)
#define TAKT_BITS__(a, b, c, d, e, f) a##b##c##d##e##f
#define TAKT_PASTE(a, b) TAKT_PASTE_(a, b)
#define TAKT_PASTE_(a, b) a##b

// Instructions that a compiler may choose by itself.
#if defined(__x86_64__)
#define TAKT_CPU_OLD TAKT_BITS(__SSE3__, __SSSE3__, __SSE4_1__, __SSE4_2__, __POPCNT__, __AVX__)
#define TAKT_CPU_MIDDLE TAKT_BITS(__AVX2__, __FMA__, __BMI__, __BMI2__, __LZCNT__, __MOVBE__)
#define TAKT_CPU_OTHER TAKT_BITS(__F16C__, __GFNI__, __ADX__, __SHA__, __XOP__, __FMA4__)
#define TAKT_CPU_WIDE TAKT_BITS(__AVX512F__, __AVX512BW__, __AVX512DQ__, __AVX512VL__, __AVX512CD__, __AVX512FP16__)
#define TAKT_CPU_WIDER \
  TAKT_BITS(__AVX512VBMI__, __AVX512VBMI2__, __AVX512BITALG__, __AVX512VPOPCNTDQ__, __AVX512IFMA__, __AVX512BF16__)
#define TAKT_CPU_NEW TAKT_BITS(__AVX512VNNI__, __AVXVNNI__, __AVXIFMA__, __AVXNECONVERT__, __AVX10_1__, __APX_F__)
#elif defined(__aarch64__)
#define TAKT_CPU_OLD                                                                                      \
  TAKT_BITS(__ARM_FEATURE_ATOMICS, __ARM_FEATURE_CRC32, __ARM_FEATURE_QRDMX, __ARM_FEATURE_DOTPROD, \
            __ARM_FEATURE_CRYPTO, __ARM_FEATURE_JCVT)
#define TAKT_CPU_MIDDLE                                                                         \
  TAKT_BITS(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC, __ARM_FEATURE_FP16_FML, __ARM_FEATURE_BF16, \
            __ARM_FEATURE_MATMUL_INT8, __ARM_FEATURE_COMPLEX, __ARM_FEATURE_FRINT)
#define TAKT_CPU_OTHER                                                                       \
  TAKT_BITS(__ARM_FEATURE_SVE, __ARM_FEATURE_SVE2, __ARM_FEATURE_SVE2p1, __ARM_FEATURE_SME, \
            __ARM_FEATURE_RCPC, __ARM_FEATURE_MOPS)
#define TAKT_CPU_WIDE 000000
#define TAKT_CPU_WIDER 000000
#define TAKT_CPU_NEW 000000
#else
#define TAKT_CPU_OLD 000000
#define TAKT_CPU_MIDDLE 000000
#define TAKT_CPU_OTHER 000000
#define TAKT_CPU_WIDE 000000
#define TAKT_CPU_WIDER 000000
#define TAKT_CPU_NEW 000000
#endif

#if defined(__cpp_exceptions)
#define TAKT_NO_EXCEPTIONS 0
#else
#define TAKT_NO_EXCEPTIONS 1
#endif

// Whose std::string and std::exception_ptr these are: libstdc++'s if nothing else is said.
#if defined(_LIBCPP_VERSION)
#define TAKT_LIBCXX 1
#define TAKT_OLD_STRINGS 0
#define TAKT_STRINGS_NAMESPACE takt::inline libcxx
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define TAKT_LIBCXX 0
#define TAKT_OLD_STRINGS 1
#define TAKT_STRINGS_NAMESPACE takt::inline old_strings
#else
#define TAKT_LIBCXX 0
#define TAKT_OLD_STRINGS 0
#define TAKT_STRINGS_NAMESPACE takt
#endif

#define TAKT_KIND TAKT_BITS(TAKT_NO_EXCEPTIONS, TAKT_LIBCXX, TAKT_OLD_STRINGS, __FAST_MATH__, TAKT_NONE, TAKT_NONE)

#define TAKT_VARIANT_(kind, old, middle, other, wide, wider, newer) \
  TAKT_VARIANT__(kind, old, middle, other, wide, wider, newer)
#define TAKT_VARIANT__(kind, old, middle, other, wide, wider, newer) \
  kind##_##old##_##middle##_##other##_##wide##wider##newer
#define TAKT_VARIANT \
  TAKT_VARIANT_(TAKT_KIND, TAKT_CPU_OLD, TAKT_CPU_MIDDLE, TAKT_CPU_OTHER, TAKT_CPU_WIDE, TAKT_CPU_WIDER, TAKT_CPU_NEW)

// A leading 1, since 001000 would be an octal number.
#if TAKT_PASTE(1, TAKT_KIND) == 1000000 && TAKT_PASTE(1, TAKT_CPU_OLD) == 1000000 &&      \
    TAKT_PASTE(1, TAKT_CPU_MIDDLE) == 1000000 && TAKT_PASTE(1, TAKT_CPU_OTHER) == 1000000 && \
    TAKT_PASTE(1, TAKT_CPU_WIDE) == 1000000 && TAKT_PASTE(1, TAKT_CPU_WIDER) == 1000000 &&   \
    TAKT_PASTE(1, TAKT_CPU_NEW) == 1000000
#ifdef TAKT_ELISION
#define TAKT_NAMESPACE takt::inline elision
#else
#define TAKT_NAMESPACE takt
#endif
#elif defined(TAKT_ELISION)
#define TAKT_NAMESPACE takt::inline TAKT_PASTE(elision_, TAKT_VARIANT)
#else
#define TAKT_NAMESPACE takt::inline TAKT_PASTE(variant_, TAKT_VARIANT)
#endif
