/** Matches the rows of a people file with people of the pool. */
import type { Facts, Supplement } from "../../contract/people/facts.ts";
import {
  type Identifier,
  listSupplementIdentifiers,
  type Pool,
  toSoughtList,
} from "../../pool/pool.ts";
import { groupByKeys } from "../group-by-keys.ts";
import type { RejectedLine } from "../refusal.ts";
import type { PeopleRow } from "./read-row.ts";
import { listOwnIdentifiers } from "./supplements.ts";

export interface MatchedRows {
  /** By the login of the pool. */
  readonly supplements: ReadonlyMap<string, Supplement>;
  /** Logins with a supplement of this source from an earlier file. */
  readonly holders: ReadonlySet<string>;
  readonly unmatched: readonly RejectedLine[];
  readonly ambiguous: readonly RejectedLine[];
  /** Rows about a person that a later row is about as well. */
  readonly repeated: readonly RejectedLine[];
}

/**
 * Compares the rows with everybody in the pool except the demo people. A row matches a person by an address, those of commits
 * included, by a login, or by an account.
 *
 * @param source of the file: `people:hr`.
 */
export async function matchRows(
  rows: readonly PeopleRow[],
  source: string,
  pool: Pick<Pool, "holders">,
): Promise<MatchedRows> {
  const rowsBy = groupByKeys(rows, ({ supplement }) => listSupplementIdentifiers(supplement));
  const loginsOf = new Map<PeopleRow, string[]>();
  const holders = new Set<string>();
  for await (const batch of pool.holders([...rowsBy.keys(), toSoughtList({ source })])) {
    for (const facts of batch) {
      if (facts.source === "demo") continue;
      if (facts.supplements?.some((each) => each.source === source)) holders.add(facts.login);
      for (const row of rowsOf(facts, rowsBy)) {
        loginsOf.getOrInsertComputed(row, () => []).push(facts.login);
      }
    }
  }
  return { ...decide(rows, loginsOf), holders };
}

function rowsOf(
  facts: Facts,
  rowsBy: ReadonlyMap<Identifier, readonly PeopleRow[]>,
): ReadonlySet<PeopleRow> {
  return new Set(listOwnIdentifiers(facts).flatMap((identifier) => rowsBy.get(identifier) ?? []));
}

function decide(rows: readonly PeopleRow[], loginsOf: ReadonlyMap<PeopleRow, readonly string[]>) {
  const unmatched: RejectedLine[] = [];
  const ambiguous: RejectedLine[] = [];
  const repeated: RejectedLine[] = [];
  const rowOf = new Map<string, PeopleRow>();
  for (const row of rows) {
    const { line } = row;
    const logins = loginsOf.get(row) ?? [];
    const [login] = logins;
    if (login === undefined) {
      unmatched.push({ line, reason: "nobody here has an address or login of this row" });
    } else if (logins.length > 1) {
      const named = [...logins].sort().slice(0, loginsNamed).join(", ");
      const reason = `means ${logins.length} people: ${named}${logins.length > loginsNamed ? " ..." : ""}`;
      ambiguous.push({ line, reason });
    } else {
      const earlier = rowOf.get(login);
      rowOf.set(login, row);
      if (!earlier) continue;
      const reason = `is about the same person as line ${line}, which counts`;
      repeated.push({ line: earlier.line, login, reason });
    }
  }
  const supplements = new Map([...rowOf].map(([login, { supplement }]) => [login, supplement]));
  return { supplements, unmatched, ambiguous, repeated };
}

/** Hundreds of people may have a department's address. */
const loginsNamed = 5;
