import type { Supplement } from "../../contract/people/facts.ts";
import { type Pool, toSoughtList } from "../../pool/pool.ts";
import type { RejectedLine } from "../refusal.ts";
import { createSupplementFinder } from "../supplements.ts";
import type { PeopleRow } from "./read-row.ts";

export type MatchedRows = Awaited<ReturnType<typeof matchRows>>;

/**
 * Matches rows with people in the pool. Demo people are left out. A row matches a person by an address, a login or an
 * account.
 * @param source the source of the file, such as `people:hr`.
 * @returns `rowOf`, the row of each login; `repeated`, the rows that a later row of the same person replaces; `holders`, the
 *   logins of people with data from an earlier file of this source.
 */
export async function matchRows(
  rows: readonly PeopleRow[],
  source: string,
  pool: Pick<Pool, "holders">,
) {
  const finder = createSupplementFinder(rows.map(({ supplement }) => supplement));
  const loginsOf = new Map<Supplement, string[]>();
  const holders = new Set<string>();
  for await (const batch of pool.holders([...finder.identifiers, toSoughtList({ source })])) {
    for (const facts of batch) {
      if (facts.source === "demo") continue;
      if (facts.supplements?.some((each) => each.source === source)) holders.add(facts.login);
      for (const supplement of finder.find(facts)) {
        loginsOf.getOrInsertComputed(supplement, () => []).push(facts.login);
      }
    }
  }
  return { ...decide(rows, loginsOf), holders };
}

function decide(rows: readonly PeopleRow[], loginsOf: ReadonlyMap<Supplement, readonly string[]>) {
  const unmatched: RejectedLine[] = [];
  const ambiguous: RejectedLine[] = [];
  const repeated: RejectedLine[] = [];
  const rowOf = new Map<string, PeopleRow>();
  for (const row of rows) {
    const { line, supplement } = row;
    const logins = loginsOf.get(supplement) ?? [];
    const [login] = logins;
    if (login === undefined) {
      unmatched.push({ line, reason: "nobody here has an address or login of this row" });
    } else if (logins.length > 1) {
      const named = [...logins].sort().slice(0, loginsNamed).join(", ");
      const reason = `matches ${logins.length} people: ${named}${logins.length > loginsNamed ? " ..." : ""}`;
      ambiguous.push({ line, reason });
    } else {
      const earlier = rowOf.get(login);
      rowOf.set(login, row);
      if (!earlier) continue;
      const reason = `is about the same person as line ${line}, which is used instead`;
      repeated.push({ line: earlier.line, login, reason });
    }
  }
  return { rowOf, unmatched, ambiguous, repeated };
}

const loginsNamed = 5;
