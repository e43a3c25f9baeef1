/** The operator's decisions about who is who. */
import { asc, eq } from "drizzle-orm";
import type { PostgresDatabase, Statements } from "../../postgres/database.ts";
import type { Decisions } from "../pool.ts";
import {
  chooseErasure,
  type ErasedPeople,
  selectDecisions,
  toDecision,
} from "../rows/decisions.ts";
import type { SaltSource } from "../rows/suppression-hash.ts";
import { applyChange } from "./changing.ts";
import { decisions } from "./tables.ts";

/** @package */
export function createDecisions(
  database: PostgresDatabase,
  { now, random }: { readonly now: () => Date; readonly random: SaltSource },
): Decisions {
  const list = async () => {
    const rows = await database.orm.select().from(decisions).orderBy(asc(decisions.sequence));
    return rows.map(toDecision);
  };
  return {
    list,
    about: async (facts, names, addresses) =>
      selectDecisions(await list(), facts, { names, addresses }),
    add: (decision) =>
      applyChange(database, async (orm) => {
        const id = `dec_${Buffer.from(random(6)).toString("hex")}`;
        const row = { ...decision, id, at: now().toISOString(), reason: decision.reason ?? null };
        const [added] = await orm.insert(decisions).values(row).returning();
        if (!added) throw new Error("An inserted row is returned.");
        return toDecision(added);
      }),
    remove: (id) =>
      applyChange(database, async (orm) => {
        const [row] = await orm.delete(decisions).where(eq(decisions.id, id)).returning();
        return row && toDecision(row);
      }),
  };
}

/** @package Deletes the decisions about people, and what other decisions say about them. */
export async function eraseDecisions(orm: Statements, people: ErasedPeople): Promise<void> {
  for (const decision of await orm.select().from(decisions)) {
    const row = eq(decisions.id, decision.id);
    const part = chooseErasure(decision, people);
    if (part === "all") await orm.delete(decisions).where(row);
    if (part === "words")
      await orm.update(decisions).set({ reason: null, evidence: [] }).where(row);
  }
}
