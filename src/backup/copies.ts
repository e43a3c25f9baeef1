/** Keeps copies of a server's backups in other places. A place that is away delays neither backups nor other copies. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { isFault } from "../contract/fault.ts";
import { startRepeating } from "../contract/start-repeating.ts";
import { compareCopy } from "./compare-copy.ts";
import type { BackupPlace } from "./places/place.ts";
import { markEnd, sendArchive } from "./places/send-archive.ts";
import type { KeepTerms } from "./retention.ts";
import { createStagingFolder } from "./staging-folder.ts";
import { listOwnBackups } from "./stored-backups.ts";
import type { WrittenFile } from "./write-archive.ts";
import { encryptFile } from "./write-in-worker.ts";

/** @package */
export interface CopyTerms extends KeepTerms {
  readonly everyMs: number | undefined;
  /** What a copy does not say about keeping is as in the folder of backups. */
  readonly copies: readonly ({ readonly id: string } & Partial<KeepTerms>)[];
  /** The age recipients who can open the copies. Without any, copies are not encrypted. */
  readonly recipients: readonly string[] | undefined;
}

/** @package */
export interface CopyParts {
  readonly terms: () => CopyTerms;
  readonly folder: () => string;
  readonly data: string;
  readonly now: () => Date;
  readonly openPlace: (id: string) => BackupPlace;
  readonly isFolderSound: () => boolean;
  readonly log: Record<"error" | "info", (fields: object, text: string) => void>;
}

/** What is known of a copy. */
export interface CopyState {
  readonly id: string;
  /** How many archives were read back and are right, and how many must be sent. Left out until the place was reached. */
  readonly archives?: number;
  readonly waiting?: number;
  /** When the newest of them was made. */
  readonly at?: string;
  readonly warning?: string;
}

type Comparison = Awaited<ReturnType<typeof compareCopy>>;

/** The pause after a look, also after one that failed. A new backup begins a look at once. */
const lookEveryMs = 10 * 60_000;

/** @package */
export function createCopies(parts: CopyParts) {
  const open = new Map<string, ReturnType<typeof openCopy>>();
  let ended: Promise<unknown> = Promise.resolve();
  return {
    /** Takes over the settings, and looks what is lacking. A copy begins anew if its settings changed. */
    follow() {
      const wanted = new Map(parts.terms().copies.map((one) => [JSON.stringify(one), one]));
      for (const [key, copy] of open) {
        if (wanted.has(key)) copy.hurry();
        else ended = Promise.all([ended, copy.close(), open.delete(key)]);
      }
      for (const [key, one] of wanted)
        if (!open.has(key)) open.set(key, openCopy(parts, one, ended));
    },
    states: () => [...open.values()].map(({ state }) => state()),
    /** Whether an archive of the folder must stay. @param isOld whether it must stay only while it is sent. */
    isNeeded: (name: string, isOld: boolean) =>
      [...open.values()].some((copy) => copy.isNeeded(name, isOld)),
    close: () => Promise.all([ended, ...[...open.values()].map((copy) => copy.close())]),
  };
}

/** @param othersEnded the end of the copies before this one. */
function openCopy(
  parts: CopyParts,
  { id, ...own }: CopyTerms["copies"][number],
  othersEnded: Promise<unknown>,
) {
  const { terms, data, now, log, isFolderSound } = parts;
  const openedAt = now();
  let found: Comparison | undefined;
  let sending: string | undefined;
  let failure: { readonly text: string; readonly at: Date } | undefined;
  const isNeeded = (name: string, isOld: boolean) =>
    isOld ? sending === name : !found?.settled.has(name);
  const update = async (stop: AbortSignal) => {
    const folder = parts.folder();
    const archives = await listOwnBackups(folder, data);
    // The place is asked only if something is new, or went wrong.
    if (found && !failure && !archives.some(({ name }) => isNeeded(name, false))) return;
    const place = parts.openPlace(id);
    for (;;) {
      found = await compareCopy(place, { folder, data, terms: { ...terms(), ...own } }, stop);
      const next = found.lacking.at(-1);
      if (!next) break;
      sending = next.localName;
      const file = await send(next, place, parts, stop);
      log.info({ copy: id, file }, "a backup was copied and read back");
    }
    if (!isFolderSound()) return;
    for (const name of found.outdated) {
      // Without its mark, an archive is no copy any more.
      await place.remove(name + markEnd, stop);
      await place.remove(name, stop);
    }
  };
  const work = async (stop: AbortSignal) => {
    await othersEnded;
    try {
      await update(stop);
      failure = undefined;
    } catch (error) {
      const text = isFault(error) ? error.message : String(error);
      if (!failure && !stop.aborted)
        log.error({ copy: id, fault: text }, "a backup was not copied; it is tried again");
      failure = { text, at: failure?.at ?? now() };
    }
    sending = undefined;
    return lookEveryMs;
  };
  const findWarning = () => {
    const { everyMs = Number.POSITIVE_INFINITY } = terms();
    const newest = found?.verified.at(-1)?.madeAt;
    const last = `the newest there: ${newest?.toISOString() ?? "none"}`;
    if (failure)
      return `${failure.text.replace(/\.$/, "")} (since ${failure.at.toISOString()}; ${last})`;
    const isLate = now().getTime() - (newest ?? openedAt).getTime() > 2 * everyMs;
    return isLate ? `backups are due every ${everyMs / 1000} s (${last})` : undefined;
  };
  return {
    ...startRepeating(work, 0),
    isNeeded,
    state(): CopyState {
      const [at, warning] = [found?.verified.at(-1)?.madeAt.toISOString(), findWarning()];
      return {
        ...{ id, ...(found && { archives: found.verified.length, waiting: found.lacking.length }) },
        ...(at && { at }),
        ...(warning && { warning: `backups are not copied to ${id}: ${warning}` }),
      };
    },
  };
}

/** Sends an archive, perhaps encrypted. @returns its name there. */
async function send(
  { path, name: plainName }: Comparison["lacking"][number],
  place: BackupPlace,
  { folder, terms }: CopyParts,
  signal: AbortSignal,
): Promise<string> {
  await using staging = await createStagingFolder(folder());
  const { recipients = [] } = terms();
  const isPlain = recipients.length === 0;
  const name = isPlain ? plainName : `${plainName}.age`;
  const file = isPlain ? path : join(staging.path, name);
  const written = isPlain
    ? await hashFile(path)
    : await encryptFile(path, file, recipients, { signal });
  await sendArchive({ place, name }, { ...written, file, staging: staging.path }, { signal });
  return name;
}

/** A millisecond of work. Bun's own stream of a file would let no call run until its end. */
const hashedAtOnce = 2 ** 18;

async function hashFile(path: string): Promise<WrittenFile> {
  const hasher = new Bun.CryptoHasher("sha256");
  const source = createReadStream(path, { highWaterMark: hashedAtOnce });
  for await (const chunk of source) hasher.update(chunk);
  return { bytes: source.bytesRead, sha256: hasher.digest("hex") };
}
