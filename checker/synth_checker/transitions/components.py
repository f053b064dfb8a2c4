"""Strongly connected sets of any finite graph, some of which are deeper than Python's stack.

As in R. Tarjan, Depth-first search and linear graph algorithms (SIAM J. Comput. 1, 146-160, 1972), with a stack of its
own in place of recursion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

_State = TypeVar("_State", bound="Hashable")


def strongly_connected_sets(
    roots: Iterable[_State], successors: Callable[[_State], Iterable[_State]]
) -> Iterator[set[_State]]:
    """The maximal strongly connected sets of all that some states lead to; what one of them leads to comes before it.

    A state that lies on no cycle is alone in its set, as is one whose only cycle is a step to itself.
    """
    index: dict[_State, int] = {}
    lowest: dict[_State, int] = {}
    open_states: list[_State] = []
    placed: set[_State] = set()
    for root in roots:
        if root in index:
            continue
        path = [(root, iter(successors(root)))]
        index[root] = lowest[root] = len(index)
        open_states.append(root)
        while path:
            state, rest = path[-1]
            for after in rest:
                if after in placed:
                    continue
                if after not in index:
                    index[after] = lowest[after] = len(index)
                    open_states.append(after)
                    path.append((after, iter(successors(after))))
                    break
                lowest[state] = min(lowest[state], index[after])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[state])
                if lowest[state] == index[state]:
                    found = {open_states.pop()}
                    while state not in found:
                        found.add(open_states.pop())
                    placed |= found
                    yield found
