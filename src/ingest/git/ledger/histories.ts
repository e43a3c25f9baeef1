import { asc, eq } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import type { History, HistoryNames, PathMetadata } from "../commits/history.ts";
import type { Ledger } from "./ledger.ts";
import { histories, segments } from "./tables.ts";

type Reading = Pick<Ledger, "history" | "sense" | "segments">;

/** @package The long parts of what is kept. */
export interface Histories extends Reading {
  /** Replaces all but the first `kept` segments. Call it inside a transaction. */
  write(placeId: number, history: History, kept: number): void;
  writeSense(placeId: number, sense: PathMetadata): void;
  countSegments(placeId: number): number;
  remove(placeId: number): void;
}

/** @package */
export function readHistories({ orm }: Database): Histories {
  const row = (placeId: number) => {
    const found = orm.select().from(histories).where(eq(histories.placeId, placeId)).get();
    if (!found) throw new Error(`Place ${placeId} has no history.`);
    return found;
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
        sense: unpack(sense) as PathMetadata,
        segments: commitsOf(placeId),
      };
    },
    sense: (placeId) => unpack(row(placeId).sense) as PathMetadata,
    segments: commitsOf,
    countSegments: (placeId) => commitsOf(placeId).length,
    remove,
    writeSense(placeId, sense) {
      orm
        .update(histories)
        .set({ sense: pack(sense) })
        .where(eq(histories.placeId, placeId))
        .run();
    },
    write(placeId, history, kept) {
      const texts = { names: pack(history.names), sense: pack(history.sense) };
      orm
        .insert(histories)
        .values({ placeId, ...texts })
        .onConflictDoUpdate({ target: histories.placeId, set: texts })
        .run();
      for (const [sequence, commits] of history.segments.entries()) {
        if (sequence < kept) continue;
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
