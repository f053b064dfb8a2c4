// Programs, ids and normal form.

#include <array>
#include <string>

#include "check.hpp"
#include "program/normal.hpp"

using namespace testing;

namespace {

void an_id_is_read_back_as_it_was_written() {
    Random random(1);
    for (int k = 0; k < 500; ++k) {
        const synth::Program program = random_program(random, random.below(5), 35, 36, 36);
        const std::string id = program.id();
        CHECK(read(id).id() == id);
        CHECK(read(id).threads() == program.threads());
        CHECK(read(id).locations() == program.locations() && read(id).values() == program.values());
    }
}

void a_program_that_is_read_into_again_forgets_the_last() {
    synth::Program program;
    program.read("01100002-00_0");
    try {
        program.read("00000000-zz");
    } catch (const synth::InputFault&) {
    }
    program.read("00_0");
    CHECK(program.id() == "00_0" && program.threads() == 1 && program.size() == 1 && program.size(0) == 1);
    program.read("");
    CHECK(program.id().empty() && program.threads() == 0 && program.locations() == 0 && program.values() == 1);
}

void what_is_no_id_is_refused() {
    for (const char* id : {"-", "0", "000", "00000", "0000-", "-0000", "0000--0000", "0000-000", "A000", "_000", "0_00",
                           "000_", "0002", "0000\n", " 000", "00\xff""0", "000:", "00/0", "00`0", "00{0"}) {
        CHECK_THROWS(synth::InputFault, read(id));
    }
    CHECK_THROWS(synth::InputFault, read(std::string_view("\0\0\0\0", 4)));
    std::string longest;
    for (int pc = 0; pc < synth::max_instructions; ++pc) longest += "0000";
    CHECK(read(longest).size() == synth::max_instructions);
    CHECK_THROWS(synth::LimitFault, read(longest + "0000"));
    CHECK_THROWS(synth::LimitFault, read(longest + "-" + longest + "zzzz"));
}

// A copy of the text, of exactly its size: a read behind its end is one outside the heap block.
void every_prefix_and_every_changed_character_is_read_back_or_refused() {
    const std::string id = "01100002-zz_0-10_20_30";
    for (std::size_t size = 0; size <= id.size(); ++size) {
        for (int character = -1; character < 256; ++character) {
            std::vector<char> text(id.begin(), id.begin() + static_cast<std::ptrdiff_t>(size));
            if (character >= 0) {
                if (text.empty()) continue;
                text.back() = static_cast<char>(character);
            }
            text.shrink_to_fit();
            const std::string_view view(text.data(), text.size());
            try {
                CHECK(read(view).id() == view);
            } catch (const synth::InputFault& fault) {
                CHECK(fault.id == view && is_one_line(fault.what()));
            }
        }
    }
}

std::string normal(const std::string& id, bool keep_store_checks = false) {
    return synth::normal_form(read(id), keep_store_checks).id();
}

void normal_forms_found_by_hand() {
    CHECK(normal("") == "");
    CHECK(normal("00_1") == "");                       // a no-op is deleted, and its thread with it
    CHECK(normal("00_1-zy_0") == "01_0");              // later threads move down
    CHECK(normal("00_2zz_2") == "");                   // deleting one no-op makes a jump over it another
    CHECK(normal("0zz1") == "0011");                   // a store compares with 0
    CHECK(normal("0zz1", true) == "0111");             // unless it may compare with anything
    CHECK(normal("0yz1", true) == "0121");
    CHECK(normal("01100002-01100002") == "01100002-01100002");
}

void normal_form_is_idempotent_and_blind_to_names() {
    Random random(2);
    for (int k = 0; k < 500; ++k) {
        const synth::Program program = random_program(random, random.from_to(1, 4), 8, 36, 36);
        std::array<int, 36> location{}, value{};
        for (int name = 0; name < 36; ++name) {
            const int l = random.from_to(0, name), v = name == 0 ? 0 : random.from_to(1, name);
            location[at(name)] = location[at(l)];
            location[at(l)] = name;
            value[at(name)] = value[at(v)];
            value[at(v)] = name;
        }
        value[0] = 0;
        synth::Program renamed;
        for (int t = 0; t < program.threads(); ++t) {
            std::vector<synth::Instruction> thread;
            for (const synth::Instruction& i : program.thread(t)) {
                thread.push_back(instruction(location[at(i.loc)], value[at(i.check)],
                                             i.writes() ? value[at(i.exch)] : synth::no_exchange, i.target));
            }
            renamed.append_thread(thread);
        }
        for (const bool keep : {false, true}) {
            const synth::Program form = synth::normal_form(program, keep);
            CHECK(synth::normal_form(form, keep).id() == form.id());
            CHECK(synth::normal_form(renamed, keep).id() == form.id());
            CHECK(read(form.id()).id() == form.id());
        }
    }
}

}  // namespace

int main() {
    an_id_is_read_back_as_it_was_written();
    a_program_that_is_read_into_again_forgets_the_last();
    what_is_no_id_is_refused();
    every_prefix_and_every_changed_character_is_read_back_or_refused();
    normal_forms_found_by_hand();
    normal_form_is_idempotent_and_blind_to_names();
}
