/**
 * Creates texts that keep one expression busy. Each leads to a repetition in the expression, repeats its text, and then spoils
 * the match. All three parts come from the expression itself.
 */
import type { AST } from "@eslint-community/regexpp";
import { type Expression, letterTest, parse } from "./parse.ts";

export interface HostileText {
  readonly before: string;
  readonly repeated: string;
  readonly after: string;
}

export const asText = ({ before, repeated, after }: HostileText, times: number): string =>
  before + repeated.repeat(times) + after;

/** Ends of a text that expressions do not match. */
const spoilers = ["\0", "\n\0"];

/** One letter of each kind that an expression tells apart; nothing more is tried of longer alphabets. */
const alphabetMax = 12;

/** Of so many letters the pairs are tried: none of the 217 slow expressions of Linguist's data needs a pair to show it. */
const pairedMax = 3;

export function hostileTexts(expression: Expression): HostileText[] {
  const { pattern } = parse(expression);
  const letters = alphabetOf(pattern, expression.flags);
  const paired = letters.slice(0, pairedMax);
  const sample = sampler(letters, expression.flags);
  const quantifiers = nodesOf(pattern).filter((node) => node.type === "Quantifier");
  const repeated = new Set([
    ...letters,
    ...paired.flatMap((one) => paired.map((other) => one + other)),
    ...choices.flatMap((choice) => [
      ...quantifiers.map(({ element }) => sample(element, choice)),
      ...pattern.alternatives.flatMap(({ elements }) =>
        elements.map((_, at) =>
          elements
            .slice(0, at + 1)
            .map((part) => sample(part, choice))
            .join(""),
        ),
      ),
    ]),
  ]);
  const before = new Set(["", "\0", ...quantifiers.map((each) => leadingTo(each, sample))]);
  return [...before].flatMap((lead) =>
    [...repeated]
      .filter(Boolean)
      .flatMap((each) => spoilers.map((after) => ({ before: lead, repeated: each, after }))),
  );
}

/** @returns a text for all that precedes a part. */
function leadingTo(part: AST.Node, sample: (node: AST.Node) => string): string {
  let text = "";
  for (let node: AST.Node | null = part; node?.parent; node = node.parent) {
    if (node.parent.type !== "Alternative") continue;
    const { elements } = node.parent;
    text =
      elements
        .slice(0, elements.indexOf(node as AST.Element))
        .map((part) => sample(part))
        .join("") + text;
  }
  return text;
}

/** Which of its alternatives or letters a part takes. */
const choices = [0, 1, 2];

/** Makes a short text that a part roughly matches. */
function sampler(letters: readonly string[], flags: string) {
  return function sample(node: AST.Node, choice = 0): string {
    switch (node.type) {
      case "Pattern":
      case "Group":
      case "CapturingGroup":
        return sample(
          (node.alternatives[choice] ?? node.alternatives[0]) as AST.Alternative,
          choice,
        );
      case "Alternative":
        return node.elements.map((each) => sample(each, choice)).join("");
      case "Quantifier":
        return sample(node.element, choice).repeat(Math.min(Math.max(node.min, choice), 6));
      case "Assertion":
      case "Backreference":
        return "";
      case "Character":
        return String.fromCodePoint(node.value);
      default: {
        const fitting = letters.filter(letterTest(node.raw, flags));
        return fitting.at(choice) ?? fitting[0] ?? "";
      }
    }
  };
}

/** Letters that the parts of an expression tell apart, one of each kind, of those that it names first. */
function alphabetOf(pattern: AST.Pattern, flags: string): string[] {
  const nodes = nodesOf(pattern);
  const parts = nodes.filter((node) => isLetter(node) && node.parent?.type !== "CharacterClass");
  // Ends of lines and of words are told apart as well.
  const raws = new Set(["\\n", "\\w", ...parts.map(({ raw }) => raw)]);
  const tests = [...raws].map((raw) => letterTest(raw, flags));
  const named = nodes.flatMap((node) =>
    node.type === "Character" ? [String.fromCodePoint(node.value)] : [],
  );
  const kinds = new Map<string, string>();
  for (const letter of [...usual, ...named]) {
    const kind = tests.map((fits) => (fits(letter) ? 1 : 0)).join("");
    if (!kinds.has(kind)) kinds.set(kind, letter);
  }
  return [...kinds.values()].slice(0, alphabetMax);
}

const usual = [...` \t\nax0Z_."'<>()[]{}/\\-@#:;,*=!?$%&+~^|\`é中\0`, "\u{1F1E6}", "\u{FE0F}"];

function isLetter({ type }: AST.Node): boolean {
  return (
    type === "Character" ||
    type === "CharacterSet" ||
    type === "CharacterClass" ||
    type === "ExpressionCharacterClass"
  );
}

function nodesOf(pattern: AST.Pattern): AST.Node[] {
  const found: AST.Node[] = [];
  const visit = (node: AST.Node): void => {
    found.push(node);
    if ("alternatives" in node) for (const each of node.alternatives) visit(each);
    if ("elements" in node) for (const each of node.elements) visit(each as AST.Node);
    if (node.type === "Quantifier") visit(node.element);
  };
  visit(pattern);
  return found;
}
