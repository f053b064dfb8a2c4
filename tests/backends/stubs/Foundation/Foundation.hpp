// Stands in for Apple's metal-cpp where a C++ compiler reads a host: what it uses of Foundation, declared.

#pragma once

namespace NS {

typedef unsigned long UInteger;
typedef long Integer;

enum StringEncoding : UInteger { UTF8StringEncoding = 4 };

struct String {
    static String* string(const char* text, StringEncoding encoding);
    const char* utf8String() const;
};

struct Error {
    Integer code() const;
    String* localizedDescription() const;
};

struct Array {
    UInteger count() const;
    template <typename Object>
    Object* object(UInteger index) const;
};

struct AutoreleasePool {
    static AutoreleasePool* alloc();
    AutoreleasePool* init();
    void release();
};

}  // namespace NS
