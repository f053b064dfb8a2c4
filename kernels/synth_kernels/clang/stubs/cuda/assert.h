/* An assertion is a check of synth, too. */
#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) __synth_assert(static_cast<bool>(__VA_ARGS__))
#endif
