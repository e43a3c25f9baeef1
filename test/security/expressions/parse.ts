/** The parts of an expression, and the letters that each fits. */
import { type AST, RegExpParser } from "@eslint-community/regexpp";

export type Expression = Pick<RegExp, "source" | "flags">;

const parsed = new Map<string, AST.RegExpLiteral>();

export function parse({ source, flags }: Expression): AST.RegExpLiteral {
  const literal = new RegExp(source, flags).toString();
  return parsed.getOrInsertComputed(literal, () => new RegExpParser().parseLiteral(literal));
}

const tests = new Map<string, (letter: string) => boolean>();

/** @returns whether a letter is one of those that a part of an expression means. */
export function letterTest(raw: string, flags: string): (letter: string) => boolean {
  const expression = new RegExp(`^(?:${raw})$`, flags.replace(/[gymd]/g, ""));
  return tests.getOrInsertComputed(String(expression), () => {
    const known = new Map<string, boolean>();
    return (letter) => known.getOrInsertComputed(letter, () => expression.test(letter));
  });
}
