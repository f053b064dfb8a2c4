#include "lines/id_set.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>

#include "program/by_id.hpp"
#include "program/id_layout.hpp"
#include "program/normal.hpp"
#include "program/packed_program.hpp"
#include "program/rules.hpp"
#include "work/faults.hpp"
#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::size_t bytes = 256;
// Ranges of so few rows are sorted by insertion.
constexpr std::size_t few = 24;

// Rows that are equal before column `at`.
struct Range {
    char* rows;
    std::size_t count;
    std::size_t at;
};

class RowSorter {
public:
    explicit RowSorter(std::size_t width) : width_(width), row_(width) {}

    void sort(char* rows, std::size_t count) {
        todo_.push_back({rows, count, 0});
        while (!todo_.empty()) {
            const Range range = todo_.back();
            todo_.pop_back();
            if (range.count <= few) {
                insert(range);
            } else if (range.at < width_) {
                distribute(range);
            }
        }
    }

private:
    void insert(const Range& range) {
        for (std::size_t k = 1; k < range.count; ++k) {
            char* const row = range.rows + k * width_;
            std::size_t to = k;
            while (to > 0 && std::memcmp(range.rows + (to - 1) * width_, row, width_) > 0) --to;
            if (to == k) continue;
            std::memcpy(row_.data(), row, width_);
            std::memmove(range.rows + (to + 1) * width_, range.rows + to * width_, (k - to) * width_);
            std::memcpy(range.rows + to * width_, row_.data(), width_);
        }
    }

    // Bring the rows of each byte together, by swapping each row into the next free place of its byte. Most ranges are
    // small, so we look only at the bytes between the least and the greatest.
    void distribute(const Range& range) {
        const auto byte = [&](std::size_t row) { return static_cast<unsigned char>(range.rows[row * width_ + range.at]); };
        worked(range.count);
        std::size_t least = bytes - 1, greatest = 0;
        for (std::size_t row = 0; row < range.count; ++row) {
            const std::size_t b = byte(row);
            ++end_[b];
            least = std::min(least, b);
            greatest = std::max(greatest, b);
        }
        std::size_t before = 0;
        for (std::size_t b = least; b <= greatest; ++b) {
            const std::size_t count = end_[b];
            free_[b] = before;
            before += count;
            end_[b] = before;
            if (count > 1) todo_.push_back({range.rows + free_[b] * width_, count, range.at + 1});
        }
        for (std::size_t b = least; b <= greatest; ++b) {
            worked(end_[b] - free_[b]);
            while (free_[b] < end_[b]) {
                const std::size_t other = byte(free_[b]);
                char* const row = range.rows + free_[b]++ * width_;
                if (other == b) continue;
                --free_[b];
                std::swap_ranges(row, row + width_, range.rows + free_[other]++ * width_);
            }
            end_[b] = 0;
        }
    }

    std::array<std::size_t, bytes> free_{}, end_{};  // of each byte; `end_` is 0 between two ranges
    std::size_t width_;
    std::vector<char> row_;
    std::vector<Range> todo_;
};

// The sizes of the threads of an id.
void sizes_of(std::string_view id, std::vector<int>& sizes) {
    sizes.clear();
    id_layout::each_instruction(id, [&](std::string_view, bool is_first) {
        if (is_first) sizes.push_back(0);
        ++sizes.back();
    });
}

bool is_least_of_orbit(const Program& program, std::string_view id, bool keep_store_checks) {
    std::vector<int> order(static_cast<std::size_t>(program.threads()));
    std::iota(order.begin(), order.end(), 0);
    Program permuted;
    while (std::ranges::next_permutation(order).found) {
        worked(one_program);
        permuted.clear();
        for (const int thread : order) permuted.append_thread(program.thread(thread));
        if (normal_form(permuted, keep_store_checks).id() < id) return false;
    }
    return true;
}

}  // namespace

std::string_view IdSet::operator[](std::size_t place) const {
    const char* const row = rows_.data() + place * (width_ + behind_);
    const void* const end = std::memchr(row, 0, width_);
    return {row, end == nullptr ? width_ : static_cast<std::size_t>(static_cast<const char*>(end) - row)};
}

std::size_t IdSet::lower_bound(std::string_view id) const {
    std::size_t first = 0;
    for (std::size_t count = size_; count > 0;) {
        const std::size_t half = count / 2;
        if ((*this)[first + half] < id) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

std::map<std::vector<int>, std::uint64_t> IdSet::splits() const {
    std::map<std::vector<int>, std::uint64_t> counts;
    std::vector<int> sizes;
    auto last = counts.end();
    for (std::size_t place = 0; place < size_; ++place) {
        worked(1);
        sizes_of((*this)[place], sizes);
        if (last == counts.end() || last->first != sizes) last = counts.try_emplace(sizes, 0).first;
        ++last->second;
    }
    return counts;
}

std::pair<std::size_t, std::uint32_t> IdSet::first_broken(std::size_t first, std::size_t last,
                                                          std::uint32_t allowed) const {
    RuleChecker checker;
    Program program;
    for (std::size_t place = first; place < last; ++place) {
        const std::uint32_t broken =
            with_program(program, (*this)[place], [&](const Program& read) { return checker.broken(read); }) & ~allowed;
        if (broken != 0) return {place, broken};
    }
    return {last, 0};
}

std::string IdSet::least_of_orbits(std::size_t first, std::size_t last, bool keep_store_checks) const {
    std::string lines;
    Program program;
    for (std::size_t place = first; place < last; ++place) {
        const std::string_view id = (*this)[place];
        program.read(id);
        if (is_least_of_orbit(program, id, keep_store_checks)) (lines += id) += '\n';
    }
    return lines;
}

std::vector<std::uint64_t> IdSet::signatures(std::size_t first, std::size_t last) const {
    std::vector<std::uint64_t> found;
    found.reserve(last - first);
    for (std::size_t place = first; place < last; ++place) {
        IdCollector::Number number;
        std::memcpy(&number, rows_.data() + place * (width_ + behind_) + width_, sizeof number);
        found.push_back(masks_[number]);
    }
    return found;
}

void IdCollector::add(std::string_view lines) {
    if (behind_ != 0) throw InputFault("found ids without their signatures");
    for_each_line(lines, [&](const Program&, std::string_view id, std::size_t) { append(id, 0); });
}

void IdCollector::add(const IdSet& ids) {
    if (behind_ != 0) throw InputFault("found ids without their signatures");
    for (std::size_t place = 0; place < ids.size(); ++place) {
        worked(1);
        append(ids[place], 0);
    }
}

void IdCollector::add(std::string_view lines, std::span<const std::uint64_t> masks) {
    std::size_t added = 0;
    Program program;
    for_each_text(lines, [&](std::string_view id, std::size_t k) {
        if (!PackedProgram::read(id)) program.read(id);  // which says what is wrong with it
        if (k == masks.size()) throw InputFault("found fewer signatures than ids");
        append(id, behind_ == 0 ? Number{0} : number_of(masks[k]));
        ++added;
    });
    if (added < masks.size()) throw InputFault("found more signatures than ids");
}

IdCollector::Number IdCollector::number_of(std::uint64_t mask) {
    if (mask == last_mask_ && !masks_.empty()) return last_number_;
    const auto [found, is_new] = known_.try_emplace(mask, static_cast<Number>(masks_.size()));
    if (is_new) {
        if (masks_.size() > std::numeric_limits<Number>::max()) {
            drop_signatures();
            return 0;
        }
        masks_.push_back(mask);
    }
    last_mask_ = mask;
    return last_number_ = found->second;
}

void IdCollector::drop_signatures() {
    for (std::size_t row = 0; row < size(); ++row) {
        std::memmove(rows_.data() + row * width_, rows_.data() + row * (width_ + behind_), width_);
    }
    rows_.resize(size() * width_);
    behind_ = 0;
    masks_.clear();
}

void IdCollector::append(std::string_view id, Number number) {
    if (id.size() > width_) {
        const std::size_t before = width_ + behind_, after = id.size() + behind_, count = size();
        std::vector<char> rows(count * after);
        for (std::size_t row = 0; row < count; ++row) {
            std::memcpy(rows.data() + row * after, rows_.data() + row * before, width_);
            std::memcpy(rows.data() + row * after + id.size(), rows_.data() + row * before + width_, behind_);
        }
        rows_ = std::move(rows);
        width_ = id.size();
    }
    const std::size_t end = rows_.size();
    rows_.resize(end + width_ + behind_);  // with zeros, or not at all
    std::ranges::copy(id, rows_.begin() + static_cast<std::ptrdiff_t>(end));
    std::memcpy(rows_.data() + end + width_, &number, behind_);
}

IdSet IdCollector::sorted() {
    const std::size_t row_size = width_ + behind_;
    if (width_ > 0) {
        RowSorter(row_size).sort(rows_.data(), size());
        char* last = rows_.data();
        const char* const end = rows_.data() + rows_.size();
        for (const char* row = last; row != end; row += row_size) {
            if (row == rows_.data() || std::memcmp(row, last, width_) == 0) continue;
            last += row_size;
            if (row != last) std::memcpy(last, row, row_size);
        }
        rows_.resize(rows_.empty() ? 0 : static_cast<std::size_t>(last - rows_.data()) + row_size);
    }
    IdSet found(std::move(rows_), width_, behind_, std::move(masks_));
    rows_.clear();
    masks_.clear();
    known_.clear();
    width_ = 0;
    return found;
}

}  // namespace synth
