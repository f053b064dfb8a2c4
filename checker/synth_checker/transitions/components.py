"""Strongly connected sets of states of a finite graph, which may be deeper than Python's call stack allows.

The algorithm is that of R. Tarjan, Depth-first search and linear graph algorithms (SIAM J. Comput. 1, 146-160, 1972).
It differs in one point: it keeps its own stack instead of calling itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

_State = TypeVar("_State", bound="Hashable")


def strongly_connected_sets(
    roots: Iterable[_State], successors: Callable[[_State], Iterable[_State]]
) -> Iterator[set[_State]]:
    """Yield the maximal strongly connected sets among the states that can be reached from `roots`.

    `successors` returns the states that one step from a state leads to. A set comes after all other sets that can be
    reached from it. A state that lies on no cycle is the only member of its set. So is a state whose only cycle is a
    step to itself.
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
                    component = {open_states.pop()}
                    while state not in component:
                        component.add(open_states.pop())
                    placed |= component
                    yield component
