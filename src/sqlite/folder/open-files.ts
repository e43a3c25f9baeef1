/** Lists the files that a process has open, as reported by Linux. */
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type FileIdentity, identifyFile } from "../connection.ts";

/** For each open file, its name when it was opened. If the file was removed since, the name ends with " (deleted)". */
export type OpenFiles = ReadonlyMap<FileIdentity, string>;

/** Works only on Linux, and only for processes of the same user. @returns undefined otherwise. */
export function listOpenFiles(process: number | "self"): OpenFiles | undefined {
  const folder = `/proc/${process}/fd`;
  const open = new Map<FileIdentity, string>();
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return undefined;
  }
  for (const path of names.map((name) => join(folder, name))) {
    try {
      const file = identifyFile(path);
      if (file !== undefined) open.set(file, readlinkSync(path));
    } catch {
      // The process closed the file meanwhile.
    }
  }
  return open;
}
