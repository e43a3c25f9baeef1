/** The operator's decisions about who is who. */
import { asc, eq } from "drizzle-orm";
import type { Database } from "../../sqlite/database.ts";
import { toPromises } from "../../sqlite/to-promises.ts";
import type { Decisions } from "../pool.ts";
import {
  chooseErasure,
  type ErasedPeople,
  selectDecisions,
  toDecision,
} from "../rows/decisions.ts";
import type { SaltSource } from "../rows/suppression-hash.ts";
import { decisions } from "./tables.ts";

export function createDecisions(
  { orm, path }: Database,
  { now, random }: { readonly now: () => Date; readonly random: SaltSource },
): Decisions {
  const list = () =>
    orm.select().from(decisions).orderBy(asc(decisions.sequence)).all().map(toDecision);
  return toPromises<Decisions>(path, {
    list,
    about: (facts, names, addresses) => selectDecisions(list(), facts, { names, addresses }),
    add(decision) {
      const id = `dec_${Buffer.from(random(6)).toString("hex")}`;
      const row = { ...decision, id, at: now().toISOString(), reason: decision.reason ?? null };
      return toDecision(orm.insert(decisions).values(row).returning().get());
    },
    remove(id) {
      const [row] = orm.delete(decisions).where(eq(decisions.id, id)).returning().all();
      return row && toDecision(row);
    },
  });
}

/**
 * Deletes the decisions about people, and what other decisions say about them. Call it inside a transaction.
 *
 * @package
 */
export function eraseDecisions({ orm }: Database, people: ErasedPeople): void {
  for (const decision of orm.select().from(decisions).all()) {
    const row = eq(decisions.id, decision.id);
    const part = chooseErasure(decision, people);
    if (part === "all") orm.delete(decisions).where(row).run();
    if (part === "words")
      orm.update(decisions).set({ reason: null, evidence: [] }).where(row).run();
  }
}
