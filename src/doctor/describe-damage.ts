import { databaseFiles } from "../data-files/data-files.ts";
import type { DatabaseRole } from "../data-files/file-names.ts";

/** The key under which damage of a file is reported. */
export function getDamageKey(file: DatabaseRole): string {
  return `damage:${databaseFiles[file].name}`;
}

const findingsShown = 3;

/** Describes the findings and their remedy in words. */
export function describeDamage(file: DatabaseRole, findings: readonly string[]): string {
  const { name, advice } = databaseFiles[file];
  const distinct = [...new Set(findings.map((text) => text.replace(/\.$/, "")))];
  const more = distinct.length - findingsShown;
  const shown =
    distinct.slice(0, findingsShown).join("; ") + (more > 0 ? `; and ${more} more` : "");
  return `${name} is damaged: ${shown}. ${advice}`;
}
