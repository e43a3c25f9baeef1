import { asText, type HostileText, hostileTexts } from "./hostile-texts.ts";
import { type Expression, stepCounter } from "./steps.ts";

/** How long the texts are that are compared: each four times as long as the one before. */
const sizes = [24, 96, 384] as const;
/** Four times the letters: four times the steps where they grow with the text, sixteen where with its square. */
const growthMax = 7;

/** @returns a text on which the work grows faster than the text, or undefined where none was found. */
export function superlinearText(expression: Expression): HostileText | undefined {
  const count = stepCounter(expression);
  const growth = (text: HostileText, short: number, long: number): number => {
    const times = (size: number) => Math.ceil(size / Math.min(text.repeated.length, 4));
    const steps = count(asText(text, times(short)), 1_000_000);
    return count(asText(text, times(long)), steps * 20) / steps;
  };
  const [short, middle, long] = sizes;
  return hostileTexts(expression).find(
    (text) =>
      growth(text, short, middle) > growthMax * 0.8 && growth(text, middle, long) > growthMax,
  );
}
