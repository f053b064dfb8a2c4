// What the sanitizers and CHECK are there to find, one for each word: else a test that passes would say nothing.

#include <climits>
#include <string_view>

#include "check.hpp"

int main(int count, char** words) {
    const std::string_view fault = count > 1 ? words[1] : "";
    std::vector<int> vector(testing::at(count));
    const int* volatile address = vector.data();
    volatile int large = INT_MAX;
    if (fault == "outside") return address[count];
    if (fault == "overflow") large = large + count;
    if (fault == "freed") {
        std::vector<int>().swap(vector);
        return address[0];
    }
    if (fault == "leak") {
        address = new int[100];
        address = nullptr;
    }
    CHECK(fault != "check");
}
