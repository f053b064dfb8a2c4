#include "minimality/orbit_sets.hpp"

#include <utility>

namespace synth {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

OrbitSets::OrbitSets() { numbered({}); }

OrbitSets::Profile OrbitSets::numbered(const Members& members) {
    const auto [found, is_new] = number_of_.try_emplace(members, static_cast<Profile>(members_.size()));
    if (is_new) members_.push_back(members);
    return found->second;
}

OrbitSets::Profile OrbitSets::only(const std::vector<std::uint64_t>& signatures) {
    Members members;
    for (const std::uint64_t signature : signatures) members.push_back(sets_.only(signature));
    return numbered(members);
}

OrbitSets::Profile OrbitSets::unite(Profile one, Profile other) {
    if (one == other || other == none) return one;
    if (one == none) return other;
    if (one > other) std::swap(one, other);
    Result& last = unions_[slot(one, other)];
    if (last.one != one || last.other != other) {
        Members members = members_[one];
        for (std::size_t order = 0; order < members.size(); ++order) {
            members[order] = sets_.unite(members[order], members_[other][order]);
        }
        last = {one, other, numbered(members)};
    }
    return last.found;
}

OrbitSets::Profile OrbitSets::placed(Profile profile, Place place) {
    if (profile == none) return none;
    Result& last = placed_[slot(profile, place.code())];
    if (last.one != profile || last.other != place.code()) {
        Members members;
        for (const std::uint8_t order : orders_inside(place)) members.push_back(members_[profile][order]);
        last = {profile, place.code(), numbered(members)};
    }
    return last.found;
}

const std::vector<std::uint8_t>& OrbitSets::orders_inside(Place place) {
    std::vector<std::uint8_t>& found = inside_[place.code()];
    if (!found.empty()) return found;
    const Orders &outer = Orders::of(place.outer_threads()), &inner = Orders::of(place.inner_threads());
    constexpr int gone = -1;
    std::array<int, Orders::max_threads> inner_of{gone, gone, gone, gone, gone};
    for (int t = 0; t < inner.threads(); ++t) inner_of[at(place.outer(t))] = t;
    for (std::size_t number = 0; number < outer.size(); ++number) {
        Orders::Order order{};
        int placed = 0;
        for (int p = 0; p < outer.threads(); ++p) {
            const int t = inner_of[outer[number][at(p)]];
            if (t != gone) order[at(placed++)] = static_cast<std::uint8_t>(t);
        }
        found.push_back(static_cast<std::uint8_t>(inner.number(order)));
    }
    return found;
}

bool OrbitSets::contains(Profile profile, std::size_t order, std::uint64_t signature) const {
    return profile != none && sets_.contains(members_[profile][order], signature);
}

}  // namespace synth
