/* What CUDA and HIP have for numbers without any header: functions on bits, and those on two or four numbers in a word.

   The arithmetic of floating-point numbers that rounds in some direction has no body: nothing is known of it but that
   equal operands give equal results. */
#ifndef SYNTH_NUMBERS_H
#define SYNTH_NUMBERS_H

/* --- bits --- */

SYNTH_HERE int __mul24(int one, int other) { return (unsigned)((one << 8) >> 8) * ((other << 8) >> 8); }
SYNTH_HERE unsigned __umul24(unsigned one, unsigned other) { return (one & 0xffffffu) * (other & 0xffffffu); }
SYNTH_HERE int __mulhi(int one, int other) { return (int)(((long long)one * other) >> 32); }
SYNTH_HERE unsigned __umulhi(unsigned one, unsigned other) {
    return (unsigned)(((unsigned long long)one * other) >> 32);
}
SYNTH_HERE long long __mul64hi(long long one, long long other) { return (long long)(((__int128)one * other) >> 64); }
SYNTH_HERE unsigned long long __umul64hi(unsigned long long one, unsigned long long other) {
    return (unsigned long long)(((unsigned __int128)one * other) >> 64);
}
SYNTH_HERE int __popc(unsigned bits) { return __builtin_popcount(bits); }
SYNTH_HERE int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
SYNTH_HERE int __clz(int bits) { return bits ? __builtin_clz(bits) : 32; }
SYNTH_HERE int __clzll(long long bits) { return bits ? __builtin_clzll(bits) : 64; }
SYNTH_HERE int __ffs(int bits) { return bits ? __builtin_ctz(bits) + 1 : 0; }
SYNTH_HERE int __ffsll(long long bits) { return bits ? __builtin_ctzll(bits) + 1 : 0; }
SYNTH_HERE unsigned __brev(unsigned bits) { return __builtin_bitreverse32(bits); }
SYNTH_HERE unsigned long long __brevll(unsigned long long bits) { return __builtin_bitreverse64(bits); }
SYNTH_HERE unsigned __sad(int one, int other, unsigned sum) {
    return sum + (one < other ? (unsigned)other - (unsigned)one : (unsigned)one - (unsigned)other);
}
SYNTH_HERE unsigned __usad(unsigned one, unsigned other, unsigned sum) {
    return sum + (one < other ? other - one : one - other);
}
SYNTH_HERE int __hadd(int one, int other) { return (int)(((long long)one + other) >> 1); }
SYNTH_HERE int __rhadd(int one, int other) { return (int)(((long long)one + other + 1) >> 1); }
SYNTH_HERE unsigned __uhadd(unsigned one, unsigned other) { return (unsigned)(((unsigned long long)one + other) >> 1); }
SYNTH_HERE unsigned __urhadd(unsigned one, unsigned other) {
    return (unsigned)(((unsigned long long)one + other + 1) >> 1);
}
/* Four of the eight bytes of two words, which the digits of another number choose. */
SYNTH_HERE unsigned __byte_perm(unsigned one, unsigned other, unsigned digits) {
    const unsigned long long all = (unsigned long long)other << 32 | one;
    return (unsigned)(all >> (digits & 7) * 8 & 255) | (unsigned)(all >> (digits >> 4 & 7) * 8 & 255) << 8 |
           (unsigned)(all >> (digits >> 8 & 7) * 8 & 255) << 16 | (unsigned)(all >> (digits >> 12 & 7) * 8 & 255) << 24;
}
SYNTH_HERE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return (unsigned)((((unsigned long long)high << 32 | low) << (by & 31)) >> 32);
}
SYNTH_HERE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
    return (unsigned)((((unsigned long long)high << 32 | low) << (by < 32 ? by : 32)) >> 32);
}
SYNTH_HERE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
SYNTH_HERE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by < 32 ? by : 32));
}
SYNTH_HERE int __float_as_int(float value) { return __builtin_bit_cast(int, value); }
SYNTH_HERE unsigned __float_as_uint(float value) { return __builtin_bit_cast(unsigned, value); }
SYNTH_HERE float __int_as_float(int value) { return __builtin_bit_cast(float, value); }
SYNTH_HERE float __uint_as_float(unsigned value) { return __builtin_bit_cast(float, value); }
SYNTH_HERE long long __double_as_longlong(double value) { return __builtin_bit_cast(long long, value); }
SYNTH_HERE double __longlong_as_double(long long value) { return __builtin_bit_cast(double, value); }
SYNTH_HERE int __double2hiint(double value) { return (int)(__double_as_longlong(value) >> 32); }
SYNTH_HERE int __double2loint(double value) { return (int)__double_as_longlong(value); }
SYNTH_HERE double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

/* --- the least and the greatest --- */

#define SYNTH_EXTREMES(T)                                                                                     \
    SYNTH_BOTH constexpr T min(T one, T other) { return other < one ? other : one; }                          \
    SYNTH_BOTH constexpr T max(T one, T other) { return one < other ? other : one; }
SYNTH_EXTREMES(int)
SYNTH_EXTREMES(unsigned)
SYNTH_EXTREMES(long)
SYNTH_EXTREMES(unsigned long)
SYNTH_EXTREMES(long long)
SYNTH_EXTREMES(unsigned long long)
#undef SYNTH_EXTREMES
SYNTH_BOTH float min(float one, float other) { return fminf(one, other); }
SYNTH_BOTH float max(float one, float other) { return fmaxf(one, other); }
SYNTH_BOTH double min(double one, double other) { return fmin(one, other); }
SYNTH_BOTH double max(double one, double other) { return fmax(one, other); }
SYNTH_BOTH unsigned min(int one, unsigned other) { return min((unsigned)one, other); }
SYNTH_BOTH unsigned min(unsigned one, int other) { return min(one, (unsigned)other); }
SYNTH_BOTH unsigned max(int one, unsigned other) { return max((unsigned)one, other); }
SYNTH_BOTH unsigned max(unsigned one, int other) { return max(one, (unsigned)other); }
SYNTH_BOTH unsigned umin(unsigned one, unsigned other) { return min(one, other); }
SYNTH_BOTH unsigned umax(unsigned one, unsigned other) { return max(one, other); }
SYNTH_BOTH long long llmin(long long one, long long other) { return min(one, other); }
SYNTH_BOTH long long llmax(long long one, long long other) { return max(one, other); }
SYNTH_BOTH unsigned long long ullmin(unsigned long long one, unsigned long long other) { return min(one, other); }
SYNTH_BOTH unsigned long long ullmax(unsigned long long one, unsigned long long other) { return max(one, other); }

/* --- two or four numbers in a word --- */

/* What a function gives for each half or each byte of one word or of two. `low` and `high` are the least and the
   greatest number of such a part. */
#define SYNTH_PARTS(NAME, KIND, VALUE)                                                                        \
    SYNTH_BOTH unsigned __synth_part_##NAME(int a, int b, int low, int high) { return (unsigned)(VALUE); }    \
    SYNTH_PARTS_##KIND(NAME)
#define SYNTH_PARTS_SIGNED(NAME) SYNTH_IN_WORD(NAME, short, -32768, 32767, signed char, -128, 127)
#define SYNTH_PARTS_UNSIGNED(NAME) SYNTH_IN_WORD(NAME, unsigned short, 0, 65535, unsigned char, 0, 255)
#define SYNTH_IN_WORD(NAME, HALF, LOW2, HIGH2, BYTE, LOW4, HIGH4)                                             \
    SYNTH_BOTH unsigned __v##NAME##2(unsigned one, unsigned other = 0) {                                      \
        return (__synth_part_##NAME((HALF)one, (HALF)other, LOW2, HIGH2) & 65535) |                           \
               __synth_part_##NAME((HALF)(one >> 16), (HALF)(other >> 16), LOW2, HIGH2) << 16;                \
    }                                                                                                         \
    SYNTH_BOTH unsigned __v##NAME##4(unsigned one, unsigned other = 0) {                                      \
        return (__synth_part_##NAME((BYTE)one, (BYTE)other, LOW4, HIGH4) & 255) |                             \
               (__synth_part_##NAME((BYTE)(one >> 8), (BYTE)(other >> 8), LOW4, HIGH4) & 255) << 8 |          \
               (__synth_part_##NAME((BYTE)(one >> 16), (BYTE)(other >> 16), LOW4, HIGH4) & 255) << 16 |       \
               __synth_part_##NAME((BYTE)(one >> 24), (BYTE)(other >> 24), LOW4, HIGH4) << 24;                \
    }
#define SYNTH_LIMITED(VALUE) (VALUE) < low ? low : (VALUE) > high ? high : (VALUE)
#define SYNTH_COMPARED(NAME, KIND, TEST)                                                                      \
    SYNTH_PARTS(cmp##NAME, KIND, (TEST) ? ~0 : 0)                                                             \
    SYNTH_PARTS(set##NAME, KIND, (TEST) ? 1 : 0)
SYNTH_PARTS(add, UNSIGNED, a + b)
SYNTH_PARTS(addss, SIGNED, SYNTH_LIMITED(a + b))
SYNTH_PARTS(addus, UNSIGNED, SYNTH_LIMITED(a + b))
SYNTH_PARTS(sub, UNSIGNED, a - b)
SYNTH_PARTS(subss, SIGNED, SYNTH_LIMITED(a - b))
SYNTH_PARTS(subus, UNSIGNED, SYNTH_LIMITED(a - b))
SYNTH_PARTS(neg, SIGNED, -a)
SYNTH_PARTS(negss, SIGNED, SYNTH_LIMITED(-a))
SYNTH_PARTS(abs, SIGNED, a < 0 ? -a : a)
SYNTH_PARTS(absss, SIGNED, SYNTH_LIMITED(a < 0 ? -a : a))
SYNTH_PARTS(absdiffs, SIGNED, a < b ? b - a : a - b)
SYNTH_PARTS(absdiffu, UNSIGNED, a < b ? b - a : a - b)
SYNTH_PARTS(avgs, SIGNED, (a + b + (a + b >= 0)) >> 1)
SYNTH_PARTS(avgu, UNSIGNED, (a + b + 1) >> 1)
SYNTH_PARTS(haddu, UNSIGNED, (a + b) >> 1)
SYNTH_PARTS(maxs, SIGNED, a < b ? b : a)
SYNTH_PARTS(maxu, UNSIGNED, a < b ? b : a)
SYNTH_PARTS(mins, SIGNED, a < b ? a : b)
SYNTH_PARTS(minu, UNSIGNED, a < b ? a : b)
SYNTH_COMPARED(eq, UNSIGNED, a == b)
SYNTH_COMPARED(ne, UNSIGNED, a != b)
SYNTH_COMPARED(ges, SIGNED, a >= b)
SYNTH_COMPARED(geu, UNSIGNED, a >= b)
SYNTH_COMPARED(gts, SIGNED, a > b)
SYNTH_COMPARED(gtu, UNSIGNED, a > b)
SYNTH_COMPARED(les, SIGNED, a <= b)
SYNTH_COMPARED(leu, UNSIGNED, a <= b)
SYNTH_COMPARED(lts, SIGNED, a < b)
SYNTH_COMPARED(ltu, UNSIGNED, a < b)
#undef SYNTH_COMPARED
#undef SYNTH_LIMITED
#undef SYNTH_IN_WORD
#undef SYNTH_PARTS_UNSIGNED
#undef SYNTH_PARTS_SIGNED
#undef SYNTH_PARTS
/* The sum of the parts of a word. */
SYNTH_BOTH unsigned __synth_sum2(unsigned of) { return (of & 65535) + (of >> 16); }
SYNTH_BOTH unsigned __synth_sum4(unsigned of) { return (of & 255) + (of >> 8 & 255) + (of >> 16 & 255) + (of >> 24); }
SYNTH_BOTH unsigned __vsads2(unsigned one, unsigned other) { return __synth_sum2(__vabsdiffs2(one, other)); }
SYNTH_BOTH unsigned __vsadu2(unsigned one, unsigned other) { return __synth_sum2(__vabsdiffu2(one, other)); }
SYNTH_BOTH unsigned __vsads4(unsigned one, unsigned other) { return __synth_sum4(__vabsdiffs4(one, other)); }
SYNTH_BOTH unsigned __vsadu4(unsigned one, unsigned other) { return __synth_sum4(__vabsdiffu4(one, other)); }
#define SYNTH_PRODUCTS(T, BYTE, HALF, VECTOR2, VECTOR4)                                                       \
    SYNTH_HERE T __dp4a(T one, T other, T sum) {                                                              \
        return (unsigned)sum + (T)(BYTE)one * (BYTE)other + (T)(BYTE)(one >> 8) * (BYTE)(other >> 8) +                  \
               (T)(BYTE)(one >> 16) * (BYTE)(other >> 16) + (T)(BYTE)(one >> 24) * (BYTE)(other >> 24);       \
    }                                                                                                         \
    SYNTH_HERE T __dp4a(VECTOR4 one, VECTOR4 other, T sum) {                                                  \
        return (unsigned)sum + (T)one.x * other.x + (T)one.y * other.y + (T)one.z * other.z + (T)one.w * other.w;       \
    }                                                                                                         \
    SYNTH_HERE T __dp2a_lo(T one, T other, T sum) {                                                           \
        return (unsigned)sum + (T)(HALF)one * (BYTE)other + (T)(HALF)(one >> 16) * (BYTE)(other >> 8);                  \
    }                                                                                                         \
    SYNTH_HERE T __dp2a_hi(T one, T other, T sum) { return __dp2a_lo(one, (T)(other >> 16), sum); }           \
    SYNTH_HERE T __dp2a_lo(VECTOR2 one, VECTOR4 other, T sum) {                                               \
        return (unsigned)sum + (T)one.x * other.x + (T)one.y * other.y;                                                 \
    }                                                                                                         \
    SYNTH_HERE T __dp2a_hi(VECTOR2 one, VECTOR4 other, T sum) {                                               \
        return (unsigned)sum + (T)one.x * other.z + (T)one.y * other.w;                                                 \
    }
SYNTH_PRODUCTS(int, signed char, short, short2, char4)
SYNTH_PRODUCTS(unsigned, unsigned char, unsigned short, ushort2, uchar4)
#undef SYNTH_PRODUCTS

/* --- floating-point numbers --- */

#define SYNTH_PURE extern "C" __device__ __attribute__((const))
#define SYNTH_FLOATS(NAME)                                                                                    \
    SYNTH_PURE float NAME##f(float);                                                                          \
    SYNTH_PURE double NAME(double);
SYNTH_FLOATS(rsqrt)
SYNTH_FLOATS(rcbrt)
SYNTH_FLOATS(sinpi)
SYNTH_FLOATS(cospi)
SYNTH_FLOATS(erfcx)
SYNTH_FLOATS(erfinv)
SYNTH_FLOATS(erfcinv)
SYNTH_FLOATS(normcdf)
SYNTH_FLOATS(normcdfinv)
#undef SYNTH_FLOATS
#define SYNTH_NORMS(T, END)                                                                                   \
    SYNTH_PURE T rhypot##END(T, T);                                                                           \
    SYNTH_PURE T norm3d##END(T, T, T);                                                                        \
    SYNTH_PURE T rnorm3d##END(T, T, T);                                                                       \
    SYNTH_PURE T norm4d##END(T, T, T, T);                                                                     \
    SYNTH_PURE T rnorm4d##END(T, T, T, T);
SYNTH_NORMS(float, f)
SYNTH_NORMS(double, )
#undef SYNTH_NORMS
SYNTH_PURE float __synth_exp10f(float);
SYNTH_PURE double __synth_exp10(double);
#define exp10f __synth_exp10f
#define exp10 __synth_exp10
SYNTH_PURE float __sinf(float);
SYNTH_PURE float __cosf(float);
SYNTH_PURE float __tanf(float);
SYNTH_PURE float __expf(float);
SYNTH_PURE float __exp10f(float);
SYNTH_PURE float __logf(float);
SYNTH_PURE float __log2f(float);
SYNTH_PURE float __log10f(float);
SYNTH_PURE float __powf(float, float);
SYNTH_PURE float __saturatef(float);
SYNTH_PURE float __fdividef(float, float);
SYNTH_PURE float fdividef(float, float);
SYNTH_PURE float __frsqrt_rn(float);
SYNTH_HERE void __sincosf(float of, float *sine, float *cosine) {
    *sine = __sinf(of);
    *cosine = __cosf(of);
}
#define SYNTH_FROM_FLOATS(MODE, T, NAME)                                                                      \
    SYNTH_PURE T __float2##NAME##_##MODE(float);                                                              \
    SYNTH_PURE T __double2##NAME##_##MODE(double);                                                            \
    SYNTH_PURE float __##NAME##2float_##MODE(T);                                                              \
    SYNTH_PURE double __##NAME##2double_##MODE(T);
#define SYNTH_ROUNDED(MODE)                                                                                   \
    SYNTH_PURE float __fadd_##MODE(float, float);                                                             \
    SYNTH_PURE float __fsub_##MODE(float, float);                                                             \
    SYNTH_PURE float __fmul_##MODE(float, float);                                                             \
    SYNTH_PURE float __fdiv_##MODE(float, float);                                                             \
    SYNTH_PURE float __fsqrt_##MODE(float);                                                                   \
    SYNTH_PURE float __frcp_##MODE(float);                                                                    \
    SYNTH_PURE float __fmaf_##MODE(float, float, float);                                                      \
    SYNTH_PURE double __dadd_##MODE(double, double);                                                          \
    SYNTH_PURE double __dsub_##MODE(double, double);                                                          \
    SYNTH_PURE double __dmul_##MODE(double, double);                                                          \
    SYNTH_PURE double __ddiv_##MODE(double, double);                                                          \
    SYNTH_PURE double __dsqrt_##MODE(double);                                                                 \
    SYNTH_PURE double __drcp_##MODE(double);                                                                  \
    SYNTH_PURE double __fma_##MODE(double, double, double);                                                   \
    SYNTH_PURE float __double2float_##MODE(double);                                                           \
    SYNTH_FROM_FLOATS(MODE, int, int)                                                                         \
    SYNTH_FROM_FLOATS(MODE, unsigned, uint)                                                                   \
    SYNTH_FROM_FLOATS(MODE, long long, ll)                                                                    \
    SYNTH_FROM_FLOATS(MODE, unsigned long long, ull)
SYNTH_ROUNDED(rn)
SYNTH_ROUNDED(rz)
SYNTH_ROUNDED(ru)
SYNTH_ROUNDED(rd)
#undef SYNTH_ROUNDED
#undef SYNTH_FROM_FLOATS
#undef SYNTH_PURE
#endif
