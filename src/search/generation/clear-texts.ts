/** For fewer people, a garbage collection takes more time than it is worth. */
const peopleMin = 4096;

/** Runs a garbage collection if the texts of many people were read, because the texts are no longer needed. */
export function clearTexts(people: number): void {
  if (people >= peopleMin) Bun.gc(true);
}
