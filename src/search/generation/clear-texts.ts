/** So few are not worth the time, which grows with all that the thread has in memory. */
const peopleMin = 4096;

/** Clears from memory the texts that were read of so many people, and are needed no more. */
export function clearTexts(people: number): void {
  if (people >= peopleMin) Bun.gc(true);
}
