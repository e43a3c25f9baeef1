/** What both threads know of an archive's form: a tar of these members, compressed by zstd. */
import { type DatabaseName, databaseNames } from "../data-files/file-names.ts";

/** Raised by a change that an older program would misread. @package */
export const archiveForm = 2;
/** The form of an archive with these members: what an older program can read stays readable for it. @package */
export function chooseArchiveForm(names: readonly string[]): number {
  return names.includes("forges.db") ? archiveForm : 1;
}
/** Always the first member. @package */
export const manifestName = "manifest.json";
/** @package */
export const manifestBytesMax = 2 ** 20;

/** The databases in the order of the archive; the settings follow them. @package */
export const archivedNames: readonly DatabaseName[] = Object.values(databaseNames);
