/**
 * Counts the steps in which a backtracking engine looks for an expression in a text. Time depends on the machine
 * and on what else it does; steps depend on expression and text alone, so their growth can be judged by a test.
 */
import { type AST, RegExpParser } from "@eslint-community/regexpp";

export type Expression = Pick<RegExp, "source" | "flags">;

/** Tries to go on from a position. */
type Match = (at: number) => boolean;

interface Counting {
  readonly flags: string;
  letters: readonly string[];
  /** Nothing needs to be known beyond. */
  stepsMax: number;
  readonly groups: Map<AST.CapturingGroup, readonly [number, number]>;
  steps: number;
}

class TooManySteps extends Error {}

/** Bounds are shrunk to this many, so that they show in the short texts that are tried. */
const boundMax = 6;

/**
 * @returns counts the steps that it takes to find the expression everywhere in a text; no more than `max` are told apart.
 */
export function stepCounter(expression: Expression): (text: string, max: number) => number {
  let search = compileSearch(expression);
  return (text, max) => {
    const steps = search(text, max);
    // Stopped in the middle of its loops.
    if (steps > max) search = compileSearch(expression);
    return steps;
  };
}

function compileSearch({ source, flags }: Expression): (text: string, max: number) => number {
  const counting: Counting = { flags, letters: [], stepsMax: 0, groups: new Map(), steps: 0 };
  let end = 0;
  const match = compile(counting, parse({ source, flags }).pattern, (at) => {
    end = at;
    return true;
  });
  return (text, max) => {
    const letters = /[uv]/.test(flags) ? [...text] : text.split("");
    Object.assign(counting, { letters, stepsMax: max, steps: 0 });
    try {
      for (let at = 0; at <= letters.length; ) {
        counting.groups.clear();
        counting.steps += 1;
        const isFound = match(at);
        if (!isFound && flags.includes("y")) break;
        at = isFound ? Math.max(end, at + 1) : at + 1;
      }
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
    }
    return counting.steps;
  };
}

const parsed = new Map<string, AST.RegExpLiteral>();

export function parse({ source, flags }: Expression): AST.RegExpLiteral {
  const literal = new RegExp(source, flags).toString();
  const held = parsed.get(literal) ?? new RegExpParser().parseLiteral(literal);
  parsed.set(literal, held);
  return held;
}

const tests = new Map<string, (letter: string) => boolean>();

/** Whether a letter is one of those that a part of an expression means. */
export function letterTest(raw: string, flags: string): (letter: string) => boolean {
  const expression = new RegExp(`^(?:${raw})$`, flags.replace(/[gymd]/g, ""));
  const held = tests.get(String(expression));
  if (held) return held;
  const known = new Map<string, boolean>();
  const test = (letter: string) => {
    const fits = known.get(letter) ?? expression.test(letter);
    known.set(letter, fits);
    return fits;
  };
  tests.set(String(expression), test);
  return test;
}

type Branching = AST.Pattern | AST.Group | AST.CapturingGroup | AST.LookaroundAssertion;

function compile(counting: Counting, node: Branching, next: Match, isBackward = false): Match {
  const tries = node.alternatives.map(({ elements }) =>
    (isBackward ? [...elements] : [...elements].reverse()).reduce(
      (rest, element) => compileElement(counting, element, rest, isBackward),
      next,
    ),
  );
  const [only] = tries;
  return tries.length === 1 && only ? only : (at) => tries.some((one) => one(at));
}

function compileElement(
  counting: Counting,
  element: AST.Element,
  next: Match,
  isBackward: boolean,
): Match {
  switch (element.type) {
    case "Group":
      return compile(counting, element, next, isBackward);
    case "CapturingGroup":
      return compileCapture(counting, element, next, isBackward);
    case "Quantifier":
      return compileQuantifier(counting, element, next, isBackward);
    case "Assertion":
      return compileAssertion(counting, element, next);
    case "Backreference":
      return compileBackreference(counting, element, next);
    default:
      return compileLetter(counting, element, next, isBackward);
  }
}

function compileLetter(
  counting: Counting,
  part: AST.Element,
  next: Match,
  isBackward: boolean,
): Match {
  const fits = letterTest(part.raw, counting.flags);
  return (at) => {
    counting.steps += 1;
    if (counting.steps > counting.stepsMax) throw new TooManySteps();
    const letter = counting.letters[isBackward ? at - 1 : at];
    return letter !== undefined && fits(letter) && next(isBackward ? at - 1 : at + 1);
  };
}

function compileCapture(
  counting: Counting,
  group: AST.CapturingGroup,
  next: Match,
  isBackward: boolean,
): Match {
  const starts: number[] = [];
  const inside = compile(
    counting,
    group,
    (to) => {
      const from = starts.pop() ?? 0;
      const before = counting.groups.get(group);
      counting.groups.set(group, from < to ? [from, to] : [to, from]);
      if (next(to)) return true;
      if (before) counting.groups.set(group, before);
      else counting.groups.delete(group);
      starts.push(from);
      return false;
    },
    isBackward,
  );
  return (at) => {
    starts.push(at);
    if (inside(at)) return true;
    starts.pop();
    return false;
  };
}

function compileQuantifier(
  counting: Counting,
  { element, min, max, greedy }: AST.Quantifier,
  next: Match,
  isBackward: boolean,
): Match {
  const least = Math.min(min, boundMax);
  const most = max === Number.POSITIVE_INFINITY ? max : Math.min(max, boundMax);
  // What is repeated is compiled once; how often it has been, and from where, stands beside.
  let times = 0;
  let from = -1;
  const again = compileElement(
    counting,
    element,
    (at) => (at === from && times > least ? false : go(at)),
    isBackward,
  );
  const once: Match = (at) => {
    if (times >= most) return false;
    const [timesBefore, fromBefore] = [times, from];
    times += 1;
    from = at;
    const isFound = again(at);
    [times, from] = [timesBefore, fromBefore];
    return isFound;
  };
  const leave: Match = (at) => {
    if (times < least) return false;
    const [timesBefore, fromBefore] = [times, from];
    [times, from] = [0, -1];
    const isFound = next(at);
    [times, from] = [timesBefore, fromBefore];
    return isFound;
  };
  const go: Match = (at) => (greedy ? once(at) || leave(at) : leave(at) || once(at));
  return go;
}

function compileAssertion(counting: Counting, assertion: AST.Assertion, next: Match): Match {
  if (assertion.kind === "lookahead" || assertion.kind === "lookbehind") {
    const isBehind = assertion.kind === "lookbehind";
    const look = compile(counting, assertion, () => true, isBehind);
    return (at) => look(at) !== assertion.negate && next(at);
  }
  const isWord = letterTest("\\w", counting.flags);
  const isLineEnd = letterTest("[\\n\\r\\u2028\\u2029]", counting.flags);
  const fits = (letter: string | undefined, test: (letter: string) => boolean) =>
    letter !== undefined && test(letter);
  const isNegated = assertion.kind === "word" && assertion.negate;
  const isMultiline = counting.flags.includes("m");
  return (at) => {
    counting.steps += 1;
    const [before, after] = [counting.letters[at - 1], counting.letters[at]];
    const holds =
      assertion.kind === "start"
        ? at === 0 || (isMultiline && fits(before, isLineEnd))
        : assertion.kind === "end"
          ? after === undefined || (isMultiline && fits(after, isLineEnd))
          : (fits(before, isWord) !== fits(after, isWord)) !== isNegated;
    return holds && next(at);
  };
}

function compileBackreference(
  counting: Counting,
  { resolved }: AST.Backreference,
  next: Match,
): Match {
  const [group] = Array.isArray(resolved) ? resolved : [resolved];
  return (at) => {
    const [from, to] = counting.groups.get(group as AST.CapturingGroup) ?? [0, 0];
    for (let offset = 0; offset < to - from; offset += 1) {
      counting.steps += 1;
      if (counting.letters[from + offset] !== counting.letters[at + offset]) return false;
    }
    return next(at + to - from);
  };
}
