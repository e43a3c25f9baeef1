import { asText, type HostileText, hostileTexts } from "./hostile-texts.ts";
import type { Expression } from "./parse.ts";

/** Four times the letters take four times as long where the time grows with the text, sixteen where with its square. */
const growthMax = 8;

/** Letters, or a quarter of the repetitions of a longer text. What never ends on a long text shows it on a short one. */
const sizes = [24, 384, 1536, 6144] as const;

/** Milliseconds: a shorter time is too inexact to compare. */
const noticeable = 3;

/** Bounds are shrunk to this many, so that a bounded repetition takes the time of a short one. */
const boundMax = 6;

/** @returns texts on which the time that the engine takes grows faster than the text. */
export function* superlinearTexts({ source, flags }: Expression): Generator<HostileText> {
  const bounded = source.replace(/(?<!\\)\{(\d+)(,?)(\d*)\}/g, (_, min, comma, max) => {
    const shrink = (bound: string) => bound && Math.min(Number(bound), boundMax);
    return `{${shrink(min)}${comma}${shrink(max)}}`;
  });
  const pattern = new RegExp(bounded, `${flags.replace("g", "")}g`);
  for (const text of hostileTexts({ source, flags })) {
    const time = (letters: number) => {
      const long = asText(text, Math.ceil(letters / Math.min(text.repeated.length, 4)));
      const startedAt = performance.now();
      long.replace(pattern, "");
      return performance.now() - startedAt;
    };
    // The least of several: a busy machine only makes times longer.
    const least = (letters: number) => Math.min(...[1, 2, 3, 4].map(() => time(letters)));
    const size = sizes.find((letters) => time(letters) > noticeable);
    if (size === undefined || least(size) < noticeable) continue;
    if (size === sizes[0] || least(size) / least(size / 4) > growthMax) yield text;
  }
}
