import { asText, type HostileText, hostileTexts } from "./hostile-texts.ts";
import { type Expression, stepCounter } from "./steps.ts";

/** Four times the letters: four times the steps where they grow with the text, sixteen where with its square. */
const growthMax = 7;

/** Steps that are far too many for a letter, whatever comes. */
const perLetterMax = 2000;

/** How often each hostile text is repeated: each four times as often as the one before. */
const sizes = [24, 96, 384] as const;

/**
 * @returns texts on which the work grows faster than the text.
 */
export function* superlinearTexts(expression: Expression): Generator<HostileText> {
  const [short, middle, long] = sizes;
  const growth = growthOn(expression);
  for (const text of hostileTexts(expression)) {
    // Of a long text fewer are needed to show it, but not as few as its length would have it.
    const per = Math.min(text.repeated.length, 4);
    const isSuspect = growth(text, short / per, middle / per) > growthMax * 0.8;
    if (isSuspect && growth(text, middle / per, long / per) > growthMax) yield text;
  }
}

/** @returns how many times the steps grow between two lengths of a text. */
export function growthOn(expression: Expression, shape = (text: string) => text) {
  const count = stepCounter(expression);
  return (text: HostileText, short: number, long: number): number => {
    const letters = shape(asText(text, Math.ceil(short)));
    const steps = count(letters, letters.length * perLetterMax);
    if (steps > letters.length * perLetterMax) return Number.POSITIVE_INFINITY;
    return count(shape(asText(text, Math.ceil(long))), steps * 20) / steps;
  };
}
