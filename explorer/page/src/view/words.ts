// Numbers and lists in words.

export function count(number: number, noun: string, several = `${noun}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : several}`;
}

/** Return words as a list in a sentence: `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
