/** The data folders in this folder, which earlier releases filled (`fill-folder.ts` says how). */
import { Database } from "bun:sqlite";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { controlFile } from "../../src/control/sqlite/sqlite-control-store.ts";
import { ledgerFile } from "../../src/ingest/ingest.ts";
import { poolFile } from "../../src/pool/sqlite/sqlite-pool.ts";
import type { FilledFolder } from "./fill-folder.ts";

/** Names of the archives, oldest first. */
export const archives: readonly string[] = readdirSync(import.meta.dir)
  .filter((name) => name.endsWith(".tar.zst"))
  .sort();

/** The archives whose files have other forms than those of the earlier ones. */
export const oneOfEachForm = archives.filter(
  (name) => !/2026-11-(21-1559|22-0855|22)\.tar/.test(name),
);

/** The first release: accounts and people, no erasure, no ledger. */
export const [firstRelease = ""] = archives;
/** A release before sign-in: its folder has every file, and somebody was forgotten. */
export const beforeSignIn = "2026-11-21-1559.tar.zst";

/** Unpacks the archive into a folder: `data`, `repository` and `known.json`. @returns what is known of it. */
export function unpackFolder(archive: string, folder: string): FilledFolder {
  const stdin = Bun.zstdDecompressSync(readFileSync(join(import.meta.dir, archive)));
  const { exitCode, stderr } = Bun.spawnSync(["tar", "-C", folder, "-x"], { stdin });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return JSON.parse(readFileSync(join(folder, "known.json"), "utf8"));
}

const kinds = { "control.db": controlFile, "pool.db": poolFile, "ingest.db": ledgerFile };

/** How many migrations each file has had; files that are not there are left out. */
export function readForms(data: string): Readonly<Record<string, number>> {
  const there = Object.keys(kinds).filter((name) => existsSync(join(data, name)));
  return Object.fromEntries(there.map((name) => [name, askFile(join(data, name), "user_version")]));
}

/** The newest form of each file that is there. */
export function newestForms(data: string): Readonly<Record<string, number>> {
  const there = Object.entries(kinds).filter(([name]) => existsSync(join(data, name)));
  return Object.fromEntries(there.map(([name, { migrations }]) => [name, migrations.length]));
}

export function askFile<Value = number>(path: string, pragma: string): Value {
  const sqlite = new Database(path);
  try {
    const row = sqlite.query<Record<string, Value>, []>(`PRAGMA ${pragma}`).get();
    return Object.values(row ?? {})[0] as Value;
  } finally {
    sqlite.close();
  }
}

export const listBackups = (data: string): readonly string[] => {
  const folder = join(data, "backups");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};
