// The eleven verdicts the plain way (definitions, sections 4 and 5): for each model the product as a graph, found with a
// hash map, and Tarjan's algorithm on it. What bench/verdicts.py compares the core with; it shares no code with it.
//
// Reads ids from standard input, one a line, judges all of them as often as its argument says, and prints a checksum of
// the verdicts and the CPU seconds of one time.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <ctime>
#include <iostream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

constexpr int max_threads = 8;
using Threads = unsigned;  // a set of threads, a bit each

struct Instruction {
    int loc, check, exch, target;  // exch: -1 for none
};
using Program = std::vector<std::vector<Instruction>>;

struct Model {
    int forms;
    bool remembers;  // who has stepped
    Threads (*fair)(Threads live, Threads stepped);
};
Threads lowest(Threads set) { return set & -set; }
Threads upto(Threads set) { return set ? 2 * std::bit_floor(set) - 1 : 0; }
const Model models[] = {
    {1, false, [](Threads, Threads) { return Threads{0}; }},                                   // unfair
    {2, false, [](Threads live, Threads) { return lowest(live); }},                            // HSA
    {2, true, [](Threads live, Threads stepped) { return live & stepped; }},                   // OBE
    {2, true, [](Threads live, Threads stepped) { return live & upto(stepped); }},             // LOBE
    {2, true, [](Threads live, Threads stepped) { return live & (stepped | lowest(live)); }},  // HSA+OBE
    {2, false, [](Threads live, Threads) { return live; }},                                    // fair
};

struct Node {
    Threads fair;
    int next[max_threads];  // -1 for a thread that has terminated
    int region = 0;         // only nodes of one region are looked at together
    int number = 0, low = 0;
    bool stacked = false;
};

class Product {
public:
    void explore(const Program& program, int locations, const Model& model) {
        // A state is one word: four bits a memory location, four a pc, and on top who has stepped.
        const int threads = static_cast<int>(program.size()), fields = locations + threads;
        const auto field = [](std::uint64_t state, int k) { return static_cast<int>(state >> 4 * k & 15); };
        const auto set = [](std::uint64_t& state, int k, int to) {
            state = (state & ~(std::uint64_t{15} << 4 * k)) | static_cast<std::uint64_t>(to) << 4 * k;
        };
        nodes.clear();
        number_of.clear();
        number_of.emplace(0, 0);
        todo = {0};
        for (std::size_t k = 0; k < todo.size(); ++k) {
            const std::uint64_t state = todo[k];
            Node node;
            Threads live = 0;
            for (int t = 0; t < threads; ++t) {
                node.next[t] = -1;
                const int pc = field(state, locations + t);
                if (pc == static_cast<int>(program[t].size())) continue;
                live |= 1U << t;
                const Instruction& i = program[t][pc];
                std::uint64_t after = state;
                set(after, locations + t, field(state, i.loc) == i.check ? i.target : pc + 1);
                if (i.exch >= 0) set(after, i.loc, i.exch);
                if (model.remembers) after |= std::uint64_t{1} << (4 * fields + t);
                const auto [found, is_new] = number_of.try_emplace(after, static_cast<int>(todo.size()));
                if (is_new) todo.push_back(after);
                node.next[t] = found->second;
            }
            node.fair = model.fair(live, static_cast<Threads>(state >> 4 * fields));
            nodes.push_back(node);
        }
        threads_ = threads;
        regions = 0;
    }

    void judge() {
        weak = strong = true;
        std::vector<int> all(nodes.size());
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
        look_among(all, true);
    }

    bool weak, strong;  // passed

private:
    // Look for a recurrent set among the nodes of one region by which a form fails.
    void look_among(const std::vector<int>& among, bool maximal) {
        for (const std::vector<int>& c : recurrent(among)) {
            const int region = ++regions;
            for (int k : c) nodes[k].region = region;
            Threads always_fair = ~0U, stepping = 0;
            std::vector<int> closed;  // the nodes whose F-steps stay inside
            for (int k : c) {
                Threads inside = 0;
                for (int t = 0; t < threads_; ++t) {
                    const int to = nodes[k].next[t];
                    if (to >= 0 && nodes[to].region == region) inside |= 1U << t;
                }
                always_fair &= nodes[k].fair;
                stepping |= inside;
                if (!(nodes[k].fair & ~inside)) closed.push_back(k);
            }
            if (maximal && !(always_fair & ~stepping)) weak = false;
            if (closed.size() == c.size()) {
                strong = false;
            } else if (strong && !closed.empty()) {
                ++regions;
                for (int k : closed) nodes[k].region = regions;
                look_among(closed, false);
            }
        }
    }

    // The maximal strongly connected sets with an edge inside, by Tarjan's algorithm.
    std::vector<std::vector<int>> recurrent(const std::vector<int>& among) {
        std::vector<std::vector<int>> found;
        int visited = 0;
        for (int k : among) nodes[k].number = 0;
        for (int k : among) {
            if (!nodes[k].number) visit(k, visited, found);
        }
        return found;
    }

    void visit(int k, int& visited, std::vector<std::vector<int>>& found) {
        Node& node = nodes[k];
        node.number = node.low = ++visited;
        node.stacked = true;
        stack.push_back(k);
        for (int t = 0; t < threads_; ++t) {
            const int to = node.next[t];
            if (to < 0 || nodes[to].region != node.region) continue;
            if (!nodes[to].number) visit(to, visited, found);
            if (nodes[to].stacked) node.low = std::min(node.low, nodes[to].low);
        }
        if (node.low != node.number) return;
        const auto first = std::find(stack.begin(), stack.end(), k);
        for (auto member = first; member != stack.end(); ++member) nodes[*member].stacked = false;
        const bool has_an_edge = stack.back() != k || std::count(node.next, node.next + threads_, k);
        if (has_an_edge) found.emplace_back(first, stack.end());
        stack.erase(first, stack.end());
    }

    int threads_ = 0, regions = 0;
    std::vector<Node> nodes;
    std::unordered_map<std::uint64_t, int> number_of;
    std::vector<std::uint64_t> todo;
    std::vector<int> stack;
};

// The bits of the verdicts that a program passes.
std::uint64_t passes(const std::string& id, Product& product) {
    const auto digit = [](char c) { return c == '_' ? -1 : c <= '9' ? c - '0' : c - 'a' + 10; };
    Program program(1);
    int locations = 0;
    int most = 0;  // that a field of a state has to hold
    for (std::size_t k = 0; k < id.size(); k += 4) {
        if (id[k] == '-') program.emplace_back(), ++k;
        const Instruction i{digit(id[k]), digit(id[k + 1]), digit(id[k + 2]), digit(id[k + 3])};
        program.back().push_back(i);
        locations = std::max(locations, i.loc + 1);
        most = std::max({most, static_cast<int>(program.back().size()), i.check, i.exch});
    }
    const int threads = static_cast<int>(program.size());
    if (most > 15 || threads > max_threads || 4 * (locations + threads) + threads > 64) throw std::out_of_range(id);
    std::uint64_t mask = 0;
    int bit = 0;
    for (const Model& model : models) {
        product.explore(program, locations, model);
        product.judge();
        mask |= std::uint64_t{product.weak} << bit++;
        if (model.forms == 2) mask |= std::uint64_t{product.strong} << bit++;
    }
    return mask;
}

int main(int, char** arguments) {
    std::vector<std::string> ids;
    for (std::string line; std::getline(std::cin, line);) ids.push_back(line);
    const int times = std::stoi(arguments[1]);
    Product product;
    std::uint64_t checksum = 0;
    const std::clock_t start = std::clock();
    for (int k = 0; k < times; ++k) {
        checksum = 0;
        for (const std::string& id : ids) checksum = (checksum ^ passes(id, product)) * 1099511628211U;
    }
    std::cout << checksum << ' ' << static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / times << '\n';
}
