/** For fewer people, a collection takes longer than it is worth. */
const peopleMin = 4096;

/** Clears from memory the texts that were read of so many people, and are needed no more. */
export function clearTexts(people: number): void {
  if (people >= peopleMin) Bun.gc(true);
}
