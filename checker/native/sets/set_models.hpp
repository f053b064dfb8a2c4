// The tables of HistoryVerdicts, as code in lanes reads them (sets.hpp).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sets/sets.hpp"
#include "verdicts/history_verdicts.hpp"
#include "verdicts/orbit_judge.hpp"
#include "verdicts/verdicts.hpp"

namespace synth {

// The tables of a judge, or of those of all orders. There are none unless every model remembers only history. There are also
// none if there are too many threads or tables.
class SetModels {
public:
    explicit SetModels(const Judge& judge);
    explicit SetModels(const OrbitJudge& judge);

    std::span<const sets::Models> tables() const { return tables_; }

private:
    struct Memory;
    void add(const Judge& judge);

    std::vector<std::shared_ptr<const Memory>> memory_;
    std::vector<sets::Models> tables_;
};

}  // namespace synth
