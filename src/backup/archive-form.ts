/** The format of an archive: a tar file, compressed with zstd. */
import { type DatabaseName, databaseNames } from "../data-files/file-names.ts";

/** The format number. A change that an older program would misread raises the number. @package */
export const archiveForm = 2;
/** Chooses the lowest format number for these files, so that older programs can read the archive. @package */
export function chooseArchiveForm(names: readonly string[]): number {
  return names.includes("forges.db") ? archiveForm : 1;
}
/** The manifest is always the first file of an archive. @package */
export const manifestName = "manifest.json";
/** @package */
export const manifestBytesMax = 2 ** 20;

/** The databases in the order of the archive. @package */
export const archivedNames: readonly DatabaseName[] = Object.values(databaseNames);
