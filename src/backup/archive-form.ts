/** What both threads know of an archive's form: a tar of these members, compressed by zstd. */

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

/**
 * In the order of the archive and of copying: `control.db` first, so that the pool is never older than what
 * `control.db` knows of it.
 *
 * @package
 */
export const databaseNames = ["control.db", "pool.db", "ingest.db", "forges.db"] as const;
/** @package */
export type DatabaseName = (typeof databaseNames)[number];
/** The settings file of the folder, the last member. @package */
export const settingsName = "roster.toml";
