/** Compares the folder of backups with one of its copies elsewhere. */
import { countHoldings } from "./count-holdings.ts";
import type { BackupPlace } from "./places/place.ts";
import { markEnd } from "./places/send-archive.ts";
import { type KeepTerms, type KeptArchive, listOutdated, sortArchives } from "./retention.ts";
import { listOwnBackups } from "./stored-backups.ts";

const copyPattern =
  /^roster-[0-9a-f]{8}-(\d{1,15})-(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d)Z(-manual)?\.tar\.zst(\.age)?$/;

function parseName(name: string): readonly (KeptArchive & { readonly name: string })[] {
  const [, sequence, hour, minute, second, manual] = copyPattern.exec(name) ?? [];
  if (hour === undefined) return [];
  const madeAt = new Date(`${hour}:${minute}:${second}Z`);
  return [{ name, madeAt, sequence: Number(sequence), isScheduled: manual === undefined }];
}

/** @package @param given what the copy keeps, and the folder of backups. */
export async function compareCopy(
  place: BackupPlace,
  given: { readonly folder: string; readonly data: string; readonly terms: KeepTerms },
  stop: AbortSignal,
) {
  const { folder, data, terms } = given;
  const { instance = "", audit } = countHoldings(data, ["control.db"]);
  // Other instances may use the same place.
  const start = `roster-${instance.slice(0, 8)}-`;
  const sort = <Archive extends KeptArchive>(archives: readonly Archive[]) =>
    sortArchives(archives, audit?.sequence ?? 0);
  const files = new Map((await place.list(stop)).map(({ name, bytes }) => [name, bytes]));
  const there = sort([...files.keys()].filter((name) => name.startsWith(start)).flatMap(parseName));
  // A mark may be empty if the process was killed.
  const hasMark = (name: string) => files.has(name + markEnd) && files.get(name + markEnd) !== 0;
  const verified = there.filter(({ name }) => hasMark(name));
  const names = new Set(verified.map(({ name }) => name.replace(/\.age$/, "")));
  const own = (await listOwnBackups(folder, data)).map((one) => ({
    ...{ ...one, localName: one.name },
    name: `${start}${one.sequence}-${one.name.slice("roster-".length)}`,
  }));
  const absent = own.filter(({ name }) => !names.has(name));
  const needless = new Set<KeptArchive>(listOutdated(sort([...verified, ...absent]), terms));
  const lacking = absent.filter((one) => !needless.has(one));
  const unproven = listOutdated(there, terms).filter((one) => !verified.includes(one));
  return {
    verified,
    /** The archives of the folder that must be sent, oldest first. */
    lacking,
    /** The names in the folder of all others. */
    settled: new Set(own.filter((one) => !lacking.includes(one)).map((one) => one.localName)),
    /** The names there that the terms do not keep. */
    outdated: [...listOutdated(verified, terms), ...unproven].map(({ name }) => name),
  };
}
