import { asc, eq } from "drizzle-orm";
import { Fault } from "../../../contract/fault.ts";
import type { Database } from "../../../sqlite/database.ts";
import { requireRoom } from "../../../sqlite/folder/disk-space.ts";
import type { History, HistoryNames, PathMetadata } from "../commits/history.ts";
import type { KnownClone, Ledger } from "./ledger.ts";
import { histories, places, segments } from "./tables.ts";

/** @package The stored histories. */
export interface Histories extends Pick<Ledger, "history" | "metadata" | "segments"> {
  /** Writes a history whose first `stored` segments are stored already. Call it inside a transaction. */
  write(placeId: number, history: History, stored: number): void;
  writeMetadata(placeId: number, metadata: PathMetadata): void;
  countSegments(placeId: number): number;
  remove(placeId: number): void;
}

/** @package */
export function readHistories({ orm }: Database): Histories {
  const row = (placeId: number) => {
    const history = orm.select().from(histories).where(eq(histories.placeId, placeId)).get();
    if (!history) throw new Error(`Place ${placeId} has no history.`);
    return history;
  };
  const commitsOf = (placeId: number): Uint8Array[] =>
    orm
      .select({ commits: segments.commits })
      .from(segments)
      .where(eq(segments.placeId, placeId))
      .orderBy(asc(segments.sequence))
      .all()
      .map(({ commits }) => commits);
  const remove = (placeId: number): void => {
    orm.delete(histories).where(eq(histories.placeId, placeId)).run();
    orm.delete(segments).where(eq(segments.placeId, placeId)).run();
  };
  return {
    history: (placeId) => {
      const { names, sense } = row(placeId);
      return {
        names: unpack(names) as HistoryNames,
        metadata: unpack(sense) as PathMetadata,
        segments: commitsOf(placeId),
      };
    },
    metadata: (placeId) => unpack(row(placeId).sense) as PathMetadata,
    segments: commitsOf,
    countSegments: (placeId) => commitsOf(placeId).length,
    remove,
    writeMetadata(placeId, metadata) {
      orm
        .update(histories)
        .set({ sense: pack(metadata) })
        .where(eq(histories.placeId, placeId))
        .run();
    },
    write(placeId, history, stored) {
      const texts = { names: pack(history.names), sense: pack(history.metadata) };
      orm
        .insert(histories)
        .values({ placeId, ...texts })
        .onConflictDoUpdate({ target: histories.placeId, set: texts })
        .run();
      for (const [sequence, commits] of history.segments.entries()) {
        if (sequence < stored) continue;
        orm
          .insert(segments)
          .values({ placeId, sequence, commits: Buffer.from(commits) })
          .run();
      }
    },
  };
}

function pack(value: unknown): Buffer {
  return Bun.zstdCompressSync(JSON.stringify(value), { level: 1 });
}

function unpack(stored: Uint8Array): unknown {
  return JSON.parse(Bun.zstdDecompressSync(stored).toString("utf8"));
}

/** @package The rows of the known places. */
export function createCloneRows(
  { orm, path }: Database,
  parts: {
    readonly edition: string;
    readonly now: () => Date;
    /** Runs a change in one transaction and marks the pool as out of date. */
    readonly change: (act: () => void) => void;
    readonly histories: Histories;
  },
): Pick<Ledger, "places" | "save" | "move" | "rename" | "forget"> {
  const { edition, now, change, histories } = parts;
  return {
    places: () =>
      orm.select().from(places).orderBy(asc(places.name), asc(places.path)).all().map(asKnown),
    save(place, history, before) {
      requireRoom(
        path,
        history.segments.reduce((sum, { length }) => sum + length, 0),
      );
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
        const row = orm.select({ head: places.head }).from(places).where(eq(places.id, id)).get();
        if (row?.head !== before.place.head) {
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
