// Progress models as set expressions (docs/understand/semantics.md, section 4): reading them, and the fair set that they say.
//
// A set of threads is a number in which bit t stands for thread t. Other models, such as automata, are not read here.

export type Expression =
  | { readonly kind: "name"; readonly name: "live" | "stepped" | "all" | "none" }
  | { readonly kind: "function"; readonly name: "lowest" | "highest" | "upto"; readonly of: Expression }
  | { readonly kind: "operation"; readonly name: "-" | "&" | "|"; readonly left: Expression; readonly right: Expression };

/** Says where a text is no set expression. */
export class ExpressionError extends Error {}

const NAMES = ["live", "stepped", "all", "none"] as const;
const FUNCTIONS = ["lowest", "highest", "upto"] as const;
/** From the operator that binds least to the one that binds most tightly. */
const OPERATORS = ["|", "&", "-"] as const;
const MOST_DEPTH = 50;

/** Read a set expression. Throws an ExpressionError that says what was found, where, and what was expected. */
export function expressionOf(text: string): Expression {
  const words = [...text.matchAll(/\s*([A-Za-z_][A-Za-z0-9_]*|\S)/gu)].map((match) => ({
    word: match[1]!,
    column: match.index + match[0].length - match[1]!.length + 1,
  }));
  words.push({ word: "", column: text.length + 1 });
  let at = 0;
  let depth = 0;
  const fail = (expected: string): never => {
    const { word, column } = words[at]!;
    throw new ExpressionError(`column ${column}: found ${word === "" ? "the end" : `“${word}”`}, expected ${expected}`);
  };
  const take = (word: string) => {
    if (words[at]!.word !== word) fail(`“${word}”`);
    at += 1;
  };
  const parenthesised = (): Expression => {
    take("(");
    depth += 1;
    if (depth > MOST_DEPTH) fail(`at most ${MOST_DEPTH} nested parentheses`);
    const inner = level(0);
    take(")");
    depth -= 1;
    return inner;
  };
  const atom = (): Expression => {
    const { word } = words[at]!;
    const name = NAMES.find((one) => one === word);
    if (name) {
      at += 1;
      return { kind: "name", name };
    }
    const called = FUNCTIONS.find((one) => one === word);
    if (called) {
      at += 1;
      return { kind: "function", name: called, of: parenthesised() };
    }
    return word === "(" ? parenthesised() : fail(`a set (${NAMES.join(", ")}), lowest(S), highest(S), upto(S) or a parenthesis`);
  };
  const level = (number: number): Expression => {
    const operator = OPERATORS[number];
    if (operator === undefined) return atom();
    let left = level(number + 1);
    while (words[at]!.word === operator) {
      at += 1;
      left = { kind: "operation", name: operator, left, right: level(number + 1) };
    }
    return left;
  };
  const found = level(0);
  if (words[at]!.word !== "") fail("an operator (-, &, |) or the end");
  return found;
}

/** Return the set expression of a model's definition, or null if the definition is something else. */
export function expressionIn(definition: string): Expression | null {
  try {
    return expressionOf(definition);
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

export function mentionsStepped(expression: Expression): boolean {
  switch (expression.kind) {
    case "name":
      return expression.name === "stepped";
    case "function":
      return mentionsStepped(expression.of);
    case "operation":
      return mentionsStepped(expression.left) || mentionsStepped(expression.right);
  }
}

/** Return the set that an expression denotes, given the sets of the live threads, those that have stepped, and all. */
export function evaluated(expression: Expression, live: number, stepped: number, all: number): number {
  switch (expression.kind) {
    case "name":
      return { live, stepped, all, none: 0 }[expression.name];
    case "function": {
      const of = evaluated(expression.of, live, stepped, all);
      const highest = of === 0 ? 0 : 1 << (31 - Math.clz32(of));
      return { lowest: of & -of, highest, upto: highest === 0 ? 0 : highest * 2 - 1 }[expression.name];
    }
    case "operation": {
      const left = evaluated(expression.left, live, stepped, all);
      const right = evaluated(expression.right, live, stepped, all);
      return { "-": left & ~right, "&": left & right, "|": left | right }[expression.name];
    }
  }
}
