// What a poll asks of the promotion rule, with the triggers of the laboratory, in place of src/promotion/rule.hpp.
#pragma once

#include "cost/credit.hpp"
#include "promotion/early.hpp"

namespace takt::core {

// --- lab/promotion/rule.cpp
/// Trigger `request`: whether somebody waits for a task of `w`: has asked, sleeps, or is not started yet.
bool asked_for(const worker& w) noexcept;
bool may_promote(worker& w) noexcept;
bool may_promote_at_signal(worker& w, std::uint64_t now) noexcept;
bool leaves_it_to_beats(worker& w) noexcept;
std::int64_t credit_without_beats(const worker& w) noexcept;
bool takes_a_beat(worker& w) noexcept;
/// Trigger `request`: asks somebody.
void looked_in_vain(worker& w) noexcept;

// --- lab/promotion/sources.cpp
bool is_beat_due(worker& w, std::uint64_t now) noexcept;
bool takes_signal(worker& w) noexcept;
bool is_to_poll(worker& w, bool promoted) noexcept;

}  // namespace takt::core
