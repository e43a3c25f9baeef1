/** The format of an archive, for both threads: a tar of these members, compressed by zstd. */
import { type DatabaseName, databaseNames } from "../data-files/file-names.ts";

/** The format number. Raised by a change that an older program would misread. @package */
export const archiveForm = 2;
/**
 * Chooses the lowest format number that fits these members, so that older programs can read the archive where possible.
 * @package
 */
export function chooseArchiveForm(names: readonly string[]): number {
  return names.includes("forges.db") ? archiveForm : 1;
}
/** Always the first member. @package */
export const manifestName = "manifest.json";
/** @package */
export const manifestBytesMax = 2 ** 20;

/** The databases in the order of the archive; the settings follow them. @package */
export const archivedNames: readonly DatabaseName[] = Object.values(databaseNames);
