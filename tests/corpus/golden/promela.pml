/* Progress litmus tests. For each, test_N says that it ends:
 *   spin -a FILE && gcc -o pan pan.c && ./pan -a -N test_0      (unfair)
 *                                       ./pan -a -f -N test_0   (fair.weak)
 */
byte mem[1];
byte ended = 0;       /* threads */
byte chosen = 255;    /* test */

proctype thread_0() /* 0010 */
{
L0: atomic { if :: mem[0] == 0 -> mem[0] = 1; goto L0 :: else -> mem[0] = 1; ended++; goto stop fi };
stop: skip
}

proctype thread_1() /* 00_0 */
{
L0: atomic { if :: mem[0] == 0 -> goto L0 :: else -> ended++; goto stop fi };
stop: skip
}

proctype thread_2() /* 0110 */
{
L0: atomic { if :: mem[0] == 1 -> mem[0] = 1; goto L0 :: else -> mem[0] = 1; ended++; goto stop fi };
stop: skip
}

proctype thread_3() /* 00_000_1 */
{
L0: atomic { if :: mem[0] == 0 -> goto L0 :: else -> goto L1 fi };
L1: atomic { if :: mem[0] == 0 -> goto L1 :: else -> ended++; goto stop fi };
stop: skip
}

proctype thread_4() /* 01100002 */
{
L0: atomic { if :: mem[0] == 1 -> mem[0] = 1; goto L0 :: else -> mem[0] = 1; goto L1 fi };
L1: atomic { if :: mem[0] == 0 -> mem[0] = 0; ended++; goto stop :: else -> mem[0] = 0; ended++; goto stop fi };
stop: skip
}

init
{
  atomic {
    if
    :: chosen = 0; run thread_0(); run thread_1()
    :: chosen = 1; run thread_2(); run thread_3(); run thread_2()
    :: chosen = 2; run thread_4(); run thread_1()
    fi
  }
}

ltl test_0 { <> (ended == 2 || (chosen != 255 && chosen != 0)) } /* 0010-00_0 */
ltl test_1 { <> (ended == 3 || (chosen != 255 && chosen != 1)) } /* 0110-00_000_1-0110 */
ltl test_2 { <> (ended == 2 || (chosen != 255 && chosen != 2)) } /* 01100002-00_0 */
