/** Keeps the tokens of stored sources: one file each, outside the databases and their backups. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = "secrets";

/** The path of a source's token, relative to the data folder. */
export const getTokenFile = (id: string): string => `${folder}/${id}.token`;

/** Writes a token completely or not at all. Only the owner can read the file. */
export function writeToken(data: string, id: string, token: string): void {
  mkdirSync(join(data, folder), { recursive: true, mode: 0o700 });
  const path = join(data, getTokenFile(id));
  const draft = `${path}.${process.pid}.tmp`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${token}\n`, { flag: "wx", mode: 0o600, flush: true });
  renameSync(draft, path);
}

export function removeToken(data: string, id: string): void {
  rmSync(join(data, getTokenFile(id)), { force: true });
}

const youngMs = 60_000;

/** Removes the tokens of sources that another node removed or reads now. @param ids the sources whose tokens stay. */
export function removeOldTokens(data: string, ids: ReadonlySet<string>, now: Date): void {
  const entries = readdirSync(data).includes(folder) ? readdirSync(join(data, folder)) : [];
  for (const name of entries) {
    const path = join(data, folder, name);
    // A new token is written before its source is stored.
    const isYoung = now.getTime() - statSync(path).mtimeMs < youngMs;
    if (!isYoung && !ids.has(name.replace(/\.token$/, ""))) rmSync(path, { force: true });
  }
}
