import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../contract/fault.ts";
import type { BackupHearing } from "../read-archive.ts";
import type { WrittenFile } from "../write-archive.ts";
import type { BackupPlace, PlacedArchive } from "./place.ts";

/** The end of the name of a small file beside an archive, as `sha256sum` writes it. An archive without it was not read back. */
export const markEnd = ".sha256";

/**
 * Sends an archive, and reads it back. Only then it gets its mark.
 * @param staging a private folder. @throws Fault of the place, or `storage` if the place returns something else.
 */
export async function sendArchive(
  { place, name }: PlacedArchive,
  { file, staging, bytes: bytesTotal, sha256 }: WrittenFile & { file: string; staging: string },
  { signal, onProgress }: BackupHearing = {},
): Promise<void> {
  // A large request with a wrong key may be broken off without a reason, so a small one comes first.
  await place.remove(name + markEnd, signal);
  onProgress?.({ bytes: 0, bytesTotal, label: "sending" });
  await place.put(name, file, signal);
  const hasher = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  for await (const chunk of place.get(name, signal)) {
    hasher.update(chunk);
    bytes += chunk.length;
    onProgress?.({ bytes, bytesTotal, label: "reading back" });
  }
  if (bytes !== bytesTotal || hasher.digest("hex") !== sha256)
    throw new Fault("storage", `${place.label} does not give ${name} back as it was sent.`);
  const mark = join(staging, "mark");
  writeFileSync(mark, `${sha256}  ${name}\n`);
  await place.put(name + markEnd, mark, signal);
}

/** Lists the archives of a place by name. */
export async function listPlaced(place: BackupPlace, signal?: AbortSignal) {
  const files = (await place.list(signal)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const marks = new Set(files.flatMap(({ name, bytes }) => (bytes === 0 ? [] : [name])));
  return files
    .filter(({ name }) => !name.endsWith(markEnd))
    .map((file) => ({ ...file, isReadBack: marks.has(file.name + markEnd) }));
}
