import fc from "fast-check";

type Choice = readonly [weight: number, arbitrary: fc.Arbitrary<unknown>];
type ValueOf<Chosen> = Chosen extends readonly [number, fc.Arbitrary<infer Value>] ? Value : never;

/** Picks one of several arbitraries, in proportion to their weights. */
export function weighted<Choices extends readonly Choice[]>(
  ...choices: Choices
): fc.Arbitrary<ValueOf<Choices[number]>> {
  const weights = choices.map(([weight, arbitrary]) => ({ weight, arbitrary }));
  return fc.oneof(...weights) as fc.Arbitrary<ValueOf<Choices[number]>>;
}
