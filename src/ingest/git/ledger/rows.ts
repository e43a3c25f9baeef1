import { eq, inArray } from "drizzle-orm";
import { Fault } from "../../../contract/fault.ts";
import type { Unread } from "../../../contract/people/history-end.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { Database } from "../../../sqlite/database.ts";
import { requireRoom } from "../../../sqlite/folder/disk-space.ts";
import { compress } from "../commit/compact-bytes.ts";
import type { SignedName } from "../commit/logged-commit.ts";
import type { History, HistoryNames, NamedPeople, PathMetadata } from "../read/history.ts";
import type { Unindex } from "./commit-index.ts";
import type { KnownClone, KnownMention, Ledger } from "./ledger.ts";
import type { SpellingRows } from "./spelling-rows.ts";
import { places } from "./tables.ts";

/** @package The stored histories. */
export interface Histories extends Pick<Ledger, "history" | "metadata" | "segments"> {
  /** Writes a history whose first `stored` segments are stored already. Call it inside a transaction. */
  write(placeId: number, history: History, stored: number): void;
  namedPeople(placeId: number): NamedPeople;
  /** Call it inside a transaction. */
  writePeople(placeId: number, people: NamedPeople): void;
  countSegments(placeId: number): number;
  remove(placeId: number): void;
}

/** @package */
export function readHistories({ sqlite }: Database): Histories {
  const row = (placeId: number) => {
    const history = sqlite.readRow<{ names: Uint8Array; sense: Uint8Array }>`
      SELECT names, sense FROM history WHERE place_id = ${placeId}`;
    if (!history) throw new Error(`Place ${placeId} has no history.`);
    return history;
  };
  const storedPeople = (placeId: number): NamedPeople | undefined => {
    const content = sqlite.readValue<Uint8Array>`
      SELECT content FROM history_people WHERE place_id = ${placeId}`;
    return content && (unpack(content) as NamedPeople);
  };
  const metadata = (placeId: number): PathMetadata => {
    const stored = { ...(unpack(row(placeId).sense) as PathMetadata), ...storedPeople(placeId) };
    const edition = sqlite.readValue<string>`SELECT edition FROM place WHERE id = ${placeId}`;
    const isOlder = Number(/\/(\d+)$/.exec(edition ?? "")?.[1]) < mappedTrailersForm;
    return isOlder ? { ...stored, coAuthors: stored.coAuthors.map(withoutMailmap) } : stored;
  };
  const storePeople = (
    placeId: number,
    { signatures, coAuthors, ownership }: NamedPeople,
  ): void => {
    const content = pack({ signatures, coAuthors, ownership });
    sqlite.execute`INSERT INTO history_people (place_id, content) VALUES (${placeId}, ${content})
      ON CONFLICT (place_id) DO UPDATE SET content = excluded.content`;
  };
  const commitsOf = (placeId: number) =>
    sqlite.readColumn<Uint8Array>`
      SELECT commits FROM segment WHERE place_id = ${placeId} ORDER BY sequence`;
  const remove = (placeId: number): void => {
    for (const table of ["history", "history_people", "segment"]) {
      sqlite.execute(`DELETE FROM ${table} WHERE place_id = ?`, placeId);
    }
  };
  return {
    history: (placeId) => {
      const names = unpack(row(placeId).names) as HistoryNames;
      return { names, metadata: metadata(placeId), segments: commitsOf(placeId) };
    },
    metadata,
    segments: commitsOf,
    countSegments: (placeId) => commitsOf(placeId).length,
    remove,
    namedPeople: (placeId) => storedPeople(placeId) ?? metadata(placeId),
    writePeople(placeId, people) {
      if (!storedPeople(placeId)) {
        const sense = packSense(metadata(placeId));
        sqlite.execute`UPDATE history SET sense = ${sense} WHERE place_id = ${placeId}`;
      }
      storePeople(placeId, people);
    },
    write(placeId, history, stored) {
      const [names, sense] = [pack(history.names), packSense(history.metadata)];
      sqlite.execute`
        INSERT INTO history (place_id, names, sense) VALUES (${placeId}, ${names}, ${sense})
        ON CONFLICT (place_id) DO UPDATE SET names = excluded.names, sense = excluded.sense`;
      storePeople(placeId, history.metadata);
      for (const [sequence, commits] of history.segments.entries()) {
        if (sequence < stored) continue;
        sqlite.execute`INSERT INTO segment (place_id, sequence, commits)
          VALUES (${placeId}, ${sequence}, ${commits})`;
      }
    },
  };
}

/** In older forms, a trailer with two addresses looks like a person with a mailmap entry. */
const mappedTrailersForm = 8;

function withoutMailmap(named: SignedName | null): SignedName | null {
  return named && named.email !== named.rawEmail
    ? { name: "", email: named.rawEmail, rawEmail: named.rawEmail }
    : named;
}

function packSense({ signatures: _, coAuthors: __, ownership: ___, ...sense }: PathMetadata) {
  return pack(sense);
}

function pack(value: unknown): Buffer {
  return compress(JSON.stringify(value));
}

function unpack(stored: Uint8Array): unknown {
  return JSON.parse(Bun.zstdDecompressSync(stored).toString("utf8"));
}

/** One folder has one place: what was read there before keeps its history, and has no folder. */
function displaceOthers(sqlite: Connection, id: number, directory: string | null): void {
  sqlite.execute`UPDATE place SET directory = NULL WHERE directory = ${directory} AND id <> ${id}`;
}

/** @package The rows of the known places. */
export function createCloneRows(
  store: Database,
  parts: {
    readonly edition: string;
    readonly now: () => Date;
    readonly histories: Histories;
    readonly unindex: Unindex;
    readonly spellings: SpellingRows;
  },
) {
  const { orm, sqlite, path } = store;
  const { edition, now, histories, unindex, spellings } = parts;
  return {
    places: () => readPlaces(sqlite),
    save(place, history, before) {
      requireRoom(
        path,
        history.segments.reduce((sum, { length }) => sum + length, 0),
      );
      const values = {
        ...place,
        forge: place.forge ?? null,
        owner: place.owner ?? null,
        notes: null,
        edition,
        readAt: now().toISOString(),
        commits: history.commits,
        roots: history.roots,
        latest: history.latest,
        summary: null,
        leftOut: null,
        isCounted: false,
      };
      return sqlite.transact(() => {
        if (!before) {
          const { id } = orm.insert(places).values(values).returning({ id: places.id }).get();
          displaceOthers(sqlite, id, place.directory);
          histories.write(id, history, 0);
          return id;
        }
        const { id } = before.place;
        const row = orm.select({ head: places.head }).from(places).where(eq(places.id, id)).get();
        if (row?.head !== before.place.head) {
          throw new Fault(
            "store",
            `${place.path} was read by another run meanwhile. Start this again.`,
          );
        }
        if (!before.isExtended) {
          unindex(id);
          histories.remove(id);
          sqlite.execute`DELETE FROM note WHERE place_id = ${id}`;
        }
        histories.write(id, history, before.isExtended ? histories.countSegments(id) : 0);
        displaceOthers(sqlite, id, place.directory);
        orm.update(places).set(values).where(eq(places.id, id)).run();
        return id;
      });
    },
    move(placeId, { directory, path }) {
      displaceOthers(sqlite, placeId, directory);
      orm.update(places).set({ directory, path }).where(eq(places.id, placeId)).run();
    },
    rename(placeId, { name, forge, owner }) {
      const values = { name, forge: forge ?? null, owner: owner ?? null, isCounted: false };
      orm.update(places).set(values).where(eq(places.id, placeId)).run();
    },
    forget(placeIds) {
      sqlite.transact(() => {
        for (const id of placeIds) {
          unindex(id);
          histories.remove(id);
          sqlite.execute`DELETE FROM note WHERE place_id = ${id}`;
          const named = sqlite.readColumn<number>`
            DELETE FROM mention WHERE place_id = ${id} RETURNING spelling_id`;
          orm.delete(places).where(eq(places.id, id)).run();
          spellings.sweep(named);
        }
      });
    },
    ...createPlaceNotes(store, now),
  } satisfies Partial<Ledger>;
}

/** What runs note of places. */
function createPlaceNotes({ orm, sqlite }: Database, now: () => Date) {
  return {
    noteReading(found) {
      sqlite.transact(() => {
        for (const [id, reason] of found) {
          const isIt = eq(places.id, id);
          const before = orm.select({ is: places.leftOut }).from(places).where(isIt).get();
          const since = before?.is?.since ?? now().toISOString();
          const leftOut = reason ? { ...reason, since } : null;
          orm.update(places).set({ leftOut }).where(isIt).run();
        }
      });
    },
    setLeaving(placeIds) {
      sqlite.transact(() => {
        orm.update(places).set({ isLeaving: false }).where(eq(places.isLeaving, true)).run();
        orm
          .update(places)
          .set({ isLeaving: true })
          .where(inArray(places.id, [...placeIds]))
          .run();
      });
    },
    summary(placeId) {
      const summary = sqlite.readValue<string>`SELECT summary FROM place WHERE id = ${placeId}`;
      return summary ? JSON.parse(summary) : undefined;
    },
    setSummaries(summaries) {
      sqlite.transact(() => {
        for (const [id, summary] of summaries) {
          orm.update(places).set({ summary }).where(eq(places.id, id)).run();
        }
      });
    },
    mentions(placeIds) {
      const read = sqlite.query<KnownMention & { readonly sample: string | null }, [number]>(
        `SELECT spelling.id AS spelling, name, email, raw_email AS rawEmail, mention.number, mention.sample
         FROM mention JOIN spelling ON spelling.id = mention.spelling_id WHERE mention.place_id = ?
         ORDER BY raw_email, name, email`,
      );
      return placeIds.flatMap((id) =>
        read.all(id).map((mention) => ({ ...mention, sample: mention.sample ?? undefined })),
      );
    },
  } satisfies Partial<Ledger>;
}

interface PlaceRow
  extends Omit<
    KnownClone,
    "forge" | "owner" | "readAt" | "roots" | "isCounted" | "isLeaving" | "leftOut"
  > {
  readonly forge: string | null;
  readonly owner: string | null;
  readonly read_at: string;
  readonly roots: string;
  readonly is_counted: number;
  readonly is_leaving: number;
  readonly left_out: string | null;
}

function readPlaces(sqlite: Connection): readonly KnownClone[] {
  const rows = sqlite.readRows<PlaceRow>`
    SELECT id, directory, path, name, forge, owner, head, mailmap, notes, edition, read_at, commits,
      roots, latest, is_counted, is_leaving, left_out FROM place ORDER BY name, path`;
  return rows.map(toKnown);
}

/** Written out, since a run asks for thousands of places several times. */
function toKnown(row: PlaceRow): KnownClone {
  const { id, directory, path, name, head, mailmap, notes, edition, commits, latest } = row;
  return {
    ...{ id, directory, path, name, head, mailmap, notes, edition, commits, latest },
    forge: row.forge ?? undefined,
    owner: row.owner ?? undefined,
    readAt: row.read_at,
    roots: JSON.parse(row.roots) as readonly string[],
    isCounted: row.is_counted === 1,
    isLeaving: row.is_leaving === 1,
    leftOut: row.left_out === null ? undefined : (JSON.parse(row.left_out) as Unread),
  };
}
