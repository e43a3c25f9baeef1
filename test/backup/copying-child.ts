/**
 * A server's backups and their copies, in a process that a test may kill: `bun copying-child.ts ORDER.json`. It makes one backup,
 * copies what is lacking, and ends when nothing more happens.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { openDataFolder } from "../../src/appliance/appliance.ts";
import { createServerBackups } from "../../src/backup/backup.ts";
import { compareCopy } from "../../src/backup/compare-copy.ts";
import type { CopyState } from "../../src/backup/copies.ts";
import { createCommandPlace, type PlaceCommands } from "../../src/backup/places/command-place.ts";
import type { BackupPlace } from "../../src/backup/places/place.ts";
import { createS3Place, type S3Access } from "../../src/backup/places/s3-place.ts";
import type { KeepTerms } from "../../src/backup/retention.ts";
import { silentAround, testConfig } from "../appliance.ts";

export interface CopyingOrder {
  readonly data: string;
  readonly folder: string;
  readonly now: string;
  /** Who asks for a backup; undefined makes none. */
  readonly by: string | undefined;
  readonly terms: KeepTerms;
  readonly copy: Partial<KeepTerms>;
  readonly recipients: readonly string[];
  readonly silentMs: number;
  /** Whether nothing fails, so that it ends only once nothing is lacking at the place. */
  readonly isClean: boolean;
  readonly place:
    | { readonly commands: PlaceCommands }
    | { readonly bucket: string; readonly access: S3Access };
}

/** What the child prints at its end, as the second line; the first is `begun`. */
export interface CopyingReport {
  readonly states: readonly CopyState[];
  readonly fault: string | undefined;
  /** Lines of the log. */
  readonly log: readonly string[];
}

async function work(order: CopyingOrder): Promise<void> {
  const { data, folder, terms, copy, recipients } = order;
  const now = () => new Date(order.now);
  const lines: string[] = [];
  const options = { create: false, search: false };
  const open = await openDataFolder(testConfig({ data }), silentAround(now), options);
  const watch = watchPlace(openPlace(order));
  const backups = createServerBackups({
    terms: () => ({
      ...{ ...terms, everyMs: undefined, folder, recipients },
      copies: [{ id: "away", ...copy }],
    }),
    ...{ data, now, version: "0.0.0-test", records: open.control.folder },
    ...{ openPlace: () => watch.place, isFolderSound: () => true },
    log: pino({}, { write: (line: string) => lines.push(line) }),
  });
  process.stdout.write("begun\n");
  if (order.by === undefined) backups.lookAgain();
  else await backups.make(order.by);
  // A backup that was not made begins no look.
  if (backups.fault() !== undefined) backups.lookAgain();
  await watch.untilQuiet(() => lines.some((line) => line.includes("was not copied")));
  const looked = { folder, data, terms: { ...terms, ...copy } };
  const place = openPlace(order);
  const signal = AbortSignal.timeout(100_000);
  const isDone = async () => {
    const { lacking, outdated } = await compareCopy(place, looked, signal);
    return lacking.length + outdated.length === 0;
  };
  while (order.isClean && !(await isDone())) await Bun.sleep(100);
  const report: CopyingReport = {
    ...{ states: backups.copies(), fault: backups.fault(), log: lines },
  };
  await backups.close();
  await open.close();
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

function openPlace({ place, silentMs }: CopyingOrder): BackupPlace {
  if ("access" in place)
    return createS3Place({ ...place, prefix: "", access: () => place.access, silentMs });
  const environment = { PATH: process.env["PATH"] ?? "" };
  return createCommandPlace(place.commands, { label: "the command", environment, silentMs });
}

/** After a list, a file may have to be encrypted before the next call. */
const quietMs = { list: 700, put: 250, get: 60_000, remove: 150 };

/** Notices when a place is asked nothing more. */
function watchPlace(inner: BackupPlace) {
  let active = 0;
  let last: keyof typeof quietMs = "list";
  let endedAt = performance.now();
  const hear = async <Result>(name: typeof last, ask: () => Promise<Result>): Promise<Result> => {
    active += 1;
    last = name;
    try {
      return await ask();
    } finally {
      active -= 1;
      endedAt = performance.now();
    }
  };
  const place: BackupPlace = {
    label: inner.label,
    put: (...given) => hear("put", () => inner.put(...given)),
    list: (...given) => hear("list", () => inner.list(...given)),
    remove: (...given) => hear("remove", () => inner.remove(...given)),
    // What is read is always followed by something, or by a fault.
    get(...given) {
      last = "get";
      endedAt = performance.now();
      return inner.get(...given);
    },
  };
  return {
    place,
    async untilQuiet(hasFailed: () => boolean): Promise<void> {
      while (!hasFailed() && (active > 0 || performance.now() - endedAt < quietMs[last]))
        await Bun.sleep(10);
    },
  };
}

export const copyingChild = join(import.meta.dir, "copying-child.ts");

if (import.meta.main) await work(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));
