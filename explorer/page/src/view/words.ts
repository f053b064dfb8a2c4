// Numbers and lists in words.

export function count(number: number, noun: string, several = `${noun}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : several}`;
}

/** Return words as a list in a sentence: `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** Return the threads of a set, whose bits they are. */
export function threadsIn(set: number): string[] {
  return [...Array(31).keys()].filter((thread) => (set >> thread) & 1).map(String);
}
