// What is said of a call that no form of a function fits.
//
// The last form of each function takes anything, and every other one that fits is a better match, if no argument has to be
// converted. It says in one sentence what is
// wrong, where a compiler would list all forms and what each of them asks for. It is declared before the forms that call
// others, and returns `auto`: the sentence is said at the call, and first.
#pragma once

#include <takt/detail/elision.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>

namespace TAKT_NAMESPACE::detail {

/// Elements that workers may write side by side. Those of std::vector<bool> are bits of one word.
template <class It>
concept separate_elements = !(std::same_as<std::iter_value_t<It>, bool> && std::is_class_v<std::iter_reference_t<It>>);

/// What a form returns that is not to be compiled: no second error.
struct anything {
  template <class T>
  operator T() const;
};

template <class...>
inline constexpr bool never = false;

enum class misfit {
  arguments,  ///< none of the others: what the function says of its callables and values
  no_range,
  no_random_access,
  no_size,
  bits,
  mixed_iterators
};

template <class T>
concept iterator_like = std::input_or_output_iterator<T>;

template <class It>
consteval misfit misfit_of_iterator(bool writes) {
  if constexpr (!std::random_access_iterator<It>) {
    return misfit::no_random_access;
  } else {
    return writes && !separate_elements<It> ? misfit::bits : misfit::arguments;
  }
}

template <class First, class... More>
consteval misfit misfit_of_first(bool writes) {
  if constexpr (std::ranges::input_range<First&>) {
    if constexpr (std::ranges::random_access_range<First&> && !std::ranges::sized_range<First&>) {
      return misfit::no_size;
    } else {
      return detail::misfit_of_iterator<std::ranges::iterator_t<First&>>(writes);
    }
  } else if constexpr (iterator_like<First>) {
    constexpr bool has_end = []<class Second, class... Rest>(std::type_identity<Second>, Rest...) {
      return std::same_as<First, Second>;
    }(std::type_identity<More>{}..., std::type_identity<First>{});
    return has_end ? detail::misfit_of_iterator<First>(writes) : misfit::mixed_iterators;
  } else {
    return misfit::no_range;
  }
}

/// Of a function over a range or two iterators, which `writes` the elements or does not.
template <bool Writes, class... Arguments>
consteval misfit misfit_of() {
  // An iterator among the others is an output.
  if constexpr (((iterator_like<Arguments> && !std::random_access_iterator<Arguments>) || ...)) {
    return misfit::no_random_access;
  } else if constexpr (sizeof...(Arguments) == 0) {
    return misfit::no_range;
  } else {
    return detail::misfit_of_first<Arguments...>(Writes);
  }
}

/// Of a function that takes a number in place of the range, too.
template <bool Writes, class First, class... More>
consteval misfit misfit_of_numbered() {
  if constexpr (std::is_arithmetic_v<First>) {
    return misfit::arguments;
  } else {
    return detail::misfit_of<Writes, First, More...>();
  }
}

/// A number that a caller may have of any type. A parameter of one type would have to be converted to.
template <class N>
concept size_like = std::convertible_to<N, std::size_t>;

}  // namespace TAKT_NAMESPACE::detail

// What is wrong most often where the range is as it should be.
#define TAKT_MISFIT_FUNCTION "the function cannot be called with an element, or with what the projection makes of one"
#define TAKT_MISFIT_PREDICATE "the predicate cannot be called with an element, or with what the projection makes of one"
#define TAKT_MISFIT_COMPARISON "the comparison cannot be called with two elements, or with what the projection makes of them"
#define TAKT_MISFIT_VALUE "an element, or what the projection makes of one, cannot be compared with the value"
#define TAKT_MISFIT_OUTPUT ", or the output is not one that workers can write them to side by side"

// The last form of a function over ranges. `otherwise`: what is wrong where the range is as it should be.
#define TAKT_LAST_FORM(function, writes, otherwise)                                                                    \
  template <class... Arguments>                                                                                        \
  auto function(const Arguments&...) {                                                                                 \
    TAKT_SAY_MISFIT(function, (detail::misfit_of<writes, Arguments...>()), otherwise)                                  \
    return detail::anything{};                                                                                         \
  }

#define TAKT_SAY_MISFIT(function, why, otherwise)                                                                      \
  static_assert(why != detail::misfit::no_range,                                                                       \
                "takt::" #function ": the first argument is neither a range nor an iterator");                         \
  static_assert(why != detail::misfit::no_random_access,                                                               \
                "takt::" #function ": a range or iterator has no random access, as those of std::list and "            \
                "std::back_inserter have none: use a std::vector, or takt::parallel_for_each");                        \
  static_assert(why != detail::misfit::no_size, "takt::" #function ": the range has no size");                         \
  static_assert(why != detail::misfit::bits,                                                                           \
                "takt::" #function ": elements of std::vector<bool> share words, so workers cannot write them side "   \
                "by side: use a std::vector<char>");                                                                   \
  static_assert(why != detail::misfit::mixed_iterators,                                                                \
                "takt::" #function ": the two iterators are of different types, as begin() and cend() are");           \
  static_assert(why != detail::misfit::arguments, "takt::" #function ": " otherwise);
