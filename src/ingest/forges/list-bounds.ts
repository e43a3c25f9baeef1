/** Stops reading lists that never end. A faulty or hostile forge may name further pages forever. */
import type { ForgePage } from "./forge.ts";

/** How many pages in a row may be empty, and how many may repeat known entries. */
const idlePagesMax = { empty: 100, repeated: 3 };
/** A source may have this many repositories per allowed person. Each list may have this many entries per allowed person. */
const itemsPerPerson = 10;

/** @package Creates a function that checks a stored page. The function returns a reason to stop, or undefined. */
export function createListBounds(
  peopleMax = 100_000,
  count: () => { readonly people: number; readonly repositories: number },
): (page: ForgePage) => string | undefined {
  const itemsMax = peopleMax * itemsPerPerson;
  const cursors = new Set<string>();
  const seen = new Set<string>();
  const idle = { empty: 0, repeated: 0 };
  // Repeated entries are counted again. A sum above its limit is therefore replaced by the number of stored rows.
  let { people, repositories } = count();
  return (page) => {
    const before = seen.size;
    const { accounts, repositories: found, steps = [], addresses } = page;
    const isEmpty = accounts.length + found.length + steps.length + (addresses?.size ?? 0) === 0;
    for (const { number } of accounts) seen.add(`person ${number}`);
    for (const { number } of found) seen.add(`repository ${number}`);
    for (const { ask } of steps) seen.add(ask);
    for (const [number, list] of addresses ?? []) {
      for (const { address } of list) seen.add(`${number} ${address}`);
    }
    if (seen.size > before) Object.assign(idle, { empty: 0, repeated: 0 });
    else idle[isEmpty ? "empty" : "repeated"] += 1;
    people += accounts.length;
    repositories += found.length;
    if (people > peopleMax || repositories > itemsMax) ({ people, repositories } = count());
    if (people > peopleMax) return `the source has more than ${peopleMax} people (maxPeople)`;
    if (repositories > itemsMax || seen.size > itemsMax) {
      return `it holds more than ${itemsMax} entries (ten times maxPeople)`;
    }
    if (page.next === undefined) return undefined;
    if (cursors.has(page.next)) return "its next page was read already";
    cursors.add(page.next);
    const isIdle = idle.empty >= idlePagesMax.empty || idle.repeated >= idlePagesMax.repeated;
    return isIdle ? "its pages bring nothing new" : undefined;
  };
}
