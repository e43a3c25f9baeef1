/** Stores the operator's decisions about which identities are the same person. */
import { and, asc, eq, isNull } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Work } from "../../queries/work.ts";
import type { Decisions, IdentityDecisionRecord } from "../pool.ts";
import { fetchAdded } from "./change-rows.ts";
import type { PoolContext, PoolQueries, PoolSources } from "./pool-context.ts";
import {
  chooseErasure,
  type ErasedPeople,
  selectDecisions,
  toDecision,
} from "./select-decisions.ts";

export function createDecisions(
  { read, change }: PoolContext,
  { now, random }: PoolSources,
): Decisions {
  return {
    list: async () => (await read(listDecisions)).filter(({ undoneAt }) => undoneAt === undefined),
    listAll: () => read(listDecisions),
    about: async (facts, names, addresses) =>
      selectDecisions(await read(listDecisions), facts, { names, addresses }),
    add: (decision) =>
      change(function* ({ queries, tables: { decisions } }) {
        const id = `dec_${Buffer.from(random(6)).toString("hex")}`;
        const row = { ...decision, id, at: now().toISOString(), reason: decision.reason ?? null };
        return toDecision(yield* fetchAdded(queries.insert(decisions).values(row).returning()));
      }),
    undo: (id) =>
      change(function* ({ queries, tables: { decisions } }) {
        const inForce = and(eq(decisions.id, id), isNull(decisions.undoneAt));
        const undoneAt = now().toISOString();
        const row = yield* fetchRow(
          queries.update(decisions).set({ undoneAt }).where(inForce).returning(),
        );
        return row && toDecision(row);
      }),
  };
}

function* listDecisions({
  queries,
  tables: { decisions },
}: PoolQueries): Work<readonly IdentityDecisionRecord[]> {
  const rows = yield* fetchRows(queries.select().from(decisions).orderBy(asc(decisions.sequence)));
  return rows.map(toDecision);
}

/** Deletes the decisions about these people. If another decision only names them, deletes its reason and evidence. */
export function* eraseDecisions(
  { queries, tables: { decisions } }: PoolQueries,
  people: ErasedPeople,
): Work<void> {
  for (const decision of yield* fetchRows(queries.select().from(decisions))) {
    const row = eq(decisions.id, decision.id);
    const part = chooseErasure(decision, people);
    if (part === "all") yield* execute(queries.delete(decisions).where(row));
    if (part === "words") {
      yield* execute(queries.update(decisions).set({ reason: null, evidence: [] }).where(row));
    }
  }
}
