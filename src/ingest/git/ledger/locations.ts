/** Reads and writes the locations of repositories: one row for each clone or bundle. */
import { eq } from "drizzle-orm";
import { Fault } from "../../../contract/fault.ts";
import type { Unread } from "../../../contract/people/history-end.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import { requireRoom } from "../../../sqlite/folder/disk-space.ts";
import type { SignedName } from "../commit/logged-commit.ts";
import type { History } from "../read/history.ts";
import { removeFromIndex } from "./commit-index.ts";
import { removeHistory, writeHistory } from "./histories.ts";
import { guardReading, type Ledger } from "./ledger.ts";
import { places } from "./tables.ts";

export type KnownClone = ReturnType<typeof toKnown>;

type NewClone = Pick<
  KnownClone,
  "directory" | "path" | "name" | "forge" | "owner" | "head" | "mailmap"
>;

/** Lists locations by name, then path; none if there is no ledger yet. */
export function listLocations(ledger: Pick<Ledger, "orm" | "path"> | undefined) {
  if (!ledger) return [];
  const { name, path } = places;
  return guardReading(ledger, () =>
    ledger.orm.select().from(places).orderBy(name, path).all().map(toKnown),
  );
}

function toKnown({ forge, owner, repositoryId, leftOut, ...location }: typeof places.$inferSelect) {
  return {
    ...location,
    forge: forge ?? undefined,
    owner: owner ?? undefined,
    leftOut: leftOut ?? undefined,
    repositoryId: repositoryId ?? undefined,
  };
}

/**
 * Stores a location and its history in one transaction.
 * @param before the stored location to update. With `isExtended`, its stored segments stay, and only new segments are added.
 * @throws Fault when another run has read the same location in the meantime, or the disk has too little room.
 */
export function writeLocation(
  { orm, sqlite, path, edition, now }: Ledger,
  location: NewClone,
  history: History,
  before: { readonly location: KnownClone; readonly isExtended: boolean } | undefined,
): number {
  const bytes = history.segments.reduce((sum, { length }) => sum + length, 0);
  requireRoom(path, bytes);
  const { commits, roots, latest } = history;
  const values = {
    ...{ ...location, forge: location.forge ?? null, owner: location.owner ?? null },
    ...{ edition, readAt: now().toISOString(), commits, roots, latest },
    ...{ notes: null, leftOut: null },
  };
  return sqlite.transact(() => {
    if (!before) {
      const { id } = orm.insert(places).values(values).returning({ id: places.id }).get();
      displaceOthers(sqlite, id, location.directory);
      writeHistory(sqlite, id, history, 0);
      return id;
    }
    const { id } = before.location;
    const head = sqlite.readValue<string>`SELECT head FROM place WHERE id = ${id}`;
    if (head !== before.location.head) {
      throw new Fault(
        "store",
        `${location.path} was read by another run at the same time. Run this again.`,
      );
    }
    if (!before.isExtended) {
      removeFromIndex(sqlite, id);
      removeHistory(sqlite, id);
    }
    const stored = sqlite.readValue<number>`SELECT count(*) FROM segment WHERE place_id = ${id}`;
    writeHistory(sqlite, id, history, stored ?? 0);
    displaceOthers(sqlite, id, location.directory);
    orm.update(places).set(values).where(eq(places.id, id)).run();
    return id;
  });
}

/** Makes this location the only one with the folder. Another location keeps its history, but loses the folder. */
function displaceOthers(sqlite: Connection, id: number, directory: string | null): void {
  sqlite.execute`UPDATE place SET directory = NULL WHERE directory = ${directory} AND id <> ${id}`;
}

/** Changes a location's path and its repository's name. Facts contain the name, so a new name is counted again. */
export function setLocation(
  { sqlite }: Ledger,
  id: number,
  { directory, path, name, forge, owner }: Omit<NewClone, "head" | "mailmap">,
): void {
  displaceOthers(sqlite, id, directory);
  sqlite.execute`UPDATE place SET directory = ${directory}, path = ${path}, name = ${name},
    forge = ${forge ?? null}, owner = ${owner ?? null} WHERE id = ${id}`;
}

export function forgetLocations({ sqlite }: Ledger, ids: readonly number[]): void {
  sqlite.transact(() => {
    for (const id of ids) {
      removeFromIndex(sqlite, id);
      removeHistory(sqlite, id);
      sqlite.execute`DELETE FROM mention WHERE place_id = ${id}`;
      sqlite.execute`DELETE FROM place WHERE id = ${id}`;
    }
  });
}

/** Stores why locations could not be read; undefined for locations that were read. */
export function noteReading(
  { orm, sqlite, now }: Ledger,
  found: ReadonlyMap<number, Omit<Unread, "since"> | undefined>,
): void {
  sqlite.transact(() => {
    for (const [id, reason] of found) {
      const isIt = eq(places.id, id);
      const before = orm.select({ is: places.leftOut }).from(places).where(isIt).get();
      const since = before?.is?.since ?? now().toISOString();
      const leftOut = reason ? { ...reason, since } : null;
      orm.update(places).set({ leftOut }).where(isIt).run();
    }
  });
}

export function readLocationsAgain({ sqlite }: Ledger): void {
  sqlite.run("UPDATE place SET edition = ''");
}

interface KnownMention extends SignedName {
  readonly spelling: number;
  /** The author's number, which is equal in all locations of one repository. */
  readonly number: number;
  /** Id of one of the author's commits. A forge can tell the account behind the commit. */
  readonly sample: string | undefined;
}

/** Lists the people that the histories of some locations name, by location, then address and name. */
export function listMentions({ sqlite }: Pick<Ledger, "sqlite">, placeIds: readonly number[]) {
  const read = sqlite.query<KnownMention & { readonly sample: string | null }, [number]>(
    `SELECT spelling.id AS spelling, name, email, raw_email AS rawEmail, mention.number, mention.sample
     FROM mention JOIN spelling ON spelling.id = mention.spelling_id WHERE mention.place_id = ?
     ORDER BY raw_email, name, email`,
  );
  return placeIds.flatMap((id) =>
    read.all(id).map((mention) => ({ ...mention, sample: mention.sample ?? undefined })),
  );
}

/** Reads the locations and the people that they name, in order to choose sample commits for forges. */
export function openSamples(ledger: Pick<Ledger, "orm" | "path" | "sqlite">) {
  return {
    places: () => listLocations(ledger),
    mentions: (placeIds: readonly number[]) => listMentions(ledger, placeIds),
  };
}
