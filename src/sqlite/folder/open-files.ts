/** Lists the files that a process has open, as Linux tells it. */
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type FileIdentity, identifyFile } from "../connection.ts";

/** By identity, the name that each file had when it was opened. A removed file's name ends with " (deleted)". */
export type OpenFiles = ReadonlyMap<FileIdentity, string>;

/** @returns undefined when the system does not tell: only Linux does, for processes of the same user. */
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
      // Closed meanwhile.
    }
  }
  return open;
}
