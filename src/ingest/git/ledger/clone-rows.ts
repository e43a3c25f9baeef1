import { asc, eq } from "drizzle-orm";
import { Fault } from "../../../contract/fault.ts";
import type { Database } from "../../../sqlite/database.ts";
import type { Histories } from "./histories.ts";
import type { KnownClone, Ledger } from "./ledger.ts";
import { places } from "./tables.ts";

/** @package Which repositories are known. */
export function createCloneRows(
  { orm }: Database,
  around: {
    readonly edition: string;
    readonly now: () => Date;
    /** Runs a change in one transaction. */
    readonly change: (act: () => void) => void;
    readonly histories: Histories;
  },
): Pick<Ledger, "places" | "save" | "move" | "rename" | "forget"> {
  const { edition, now, change, histories } = around;
  return {
    places: () =>
      orm.select().from(places).orderBy(asc(places.name), asc(places.path)).all().map(asKnown),
    save(place, history, before) {
      const values = {
        ...place,
        forge: place.forge ?? null,
        owner: place.owner ?? null,
        edition,
        readAt: now().toISOString(),
        commits: history.commits,
        roots: history.roots,
        latest: history.latest,
        summary: null,
      };
      change(() => {
        if (!before) {
          const { id } = orm.insert(places).values(values).returning({ id: places.id }).get();
          histories.write(id, history, 0);
          return;
        }
        const { id } = before.place;
        const held = orm.select({ head: places.head }).from(places).where(eq(places.id, id)).get();
        if (held?.head !== before.place.head) {
          throw new Fault(
            "store",
            `${place.path} was read by another run meanwhile. Start this again.`,
          );
        }
        if (!before.isExtended) histories.remove(id);
        histories.write(id, history, before.isExtended ? histories.countSegments(id) : 0);
        orm.update(places).set(values).where(eq(places.id, id)).run();
      });
    },
    move(placeId, { directory, path }) {
      orm.update(places).set({ directory, path }).where(eq(places.id, placeId)).run();
    },
    rename(placeId, { name, forge, owner }) {
      const values = { name, forge: forge ?? null, owner: owner ?? null };
      change(() => {
        orm.update(places).set(values).where(eq(places.id, placeId)).run();
      });
    },
    forget(placeIds) {
      change(() => {
        for (const id of placeIds) {
          histories.remove(id);
          orm.delete(places).where(eq(places.id, id)).run();
        }
      });
    },
  };
}

function asKnown(row: typeof places.$inferSelect): KnownClone {
  const { forge, owner, summary, ...rest } = row;
  return {
    ...rest,
    forge: forge ?? undefined,
    owner: owner ?? undefined,
    summary: summary ?? undefined,
  };
}
