/** The format of an archive: a tar of the files named here, compressed with zstd. */
import { type DatabaseName, databaseNames } from "../data-files/file-names.ts";

/** The format number. It rises with each change that an older program would misread. @package */
export const archiveForm = 2;
/** Chooses the lowest format number that allows these files, so that older programs can read the archive if possible. @package */
export function chooseArchiveForm(names: readonly string[]): number {
  return names.includes("forges.db") ? archiveForm : 1;
}
/** The manifest is always the first file of an archive. @package */
export const manifestName = "manifest.json";
/** @package */
export const manifestBytesMax = 2 ** 20;

/** The databases in the order of the archive. The settings file comes last. @package */
export const archivedNames: readonly DatabaseName[] = Object.values(databaseNames);
