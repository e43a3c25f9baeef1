import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Fault } from "../contract/fault.ts";
import { type DatabaseFile, everyDatabaseFile } from "../data-files/data-files.ts";
import { type DatabaseName, databaseNames } from "../data-files/file-names.ts";
import { type Check, checkFile, checkStructure } from "../sqlite/check-database.ts";
import { readDigests } from "../sqlite/copy-database.ts";
import type { Database } from "../sqlite/database.ts";
import { countHoldings } from "./count-holdings.ts";
import type { BackupManifest } from "./manifest.ts";
import { type ReadOptions, unpackArchive } from "./read-archive.ts";
import { createStagingFolder } from "./staging-folder.ts";

export interface VerifyOptions extends ReadOptions {
  /**
   * Opens the unpacked folder as a server would, and makes some calls.
   * @param digests the SHA-256 of each key that must be valid.
   * @returns what was done and what is wrong, in words.
   */
  readonly tryFolder: (folder: string, digests: readonly Uint8Array[]) => Promise<TrialReport>;
}

export interface TrialReport {
  readonly done: readonly string[];
  readonly faults: readonly string[];
}

export interface VerifyReport {
  readonly file: string;
  readonly manifest: BackupManifest;
  readonly checks: readonly ArchiveCheck[];
}

export interface ArchiveCheck {
  readonly name: string;
  /** What the check confirmed, in words. */
  readonly found: string;
  /** What is wrong. An empty list means that nothing is wrong. */
  readonly faults: readonly string[];
}

/**
 * Checks whether an archive can be restored. It is unpacked into a private folder, which is removed at the end.
 * @param file the archive, or `-` for standard input.
 * @throws Fault like `unpackArchive`.
 */
export async function verifyArchive(file: string, options: VerifyOptions): Promise<VerifyReport> {
  await using staging = await createStagingFolder(tmpdir());
  const folder = staging.path;
  const manifest = await unpackArchive(file, folder, options);
  const files = everyDatabaseFile.filter(({ name }) =>
    manifest.members.some((one) => one.name === name),
  );
  const names = files.map(({ name }) => name);
  const members = manifest.members.map(({ name }) => name).join(", ");
  const checks: ArchiveCheck[] = [{ name: "checksums", found: members, faults: [] }];
  const check = async (
    name: string,
    choose: (file: DatabaseFile) => (store: Database) => Check,
  ) => {
    const faults: string[] = [];
    for (const each of files) {
      const found = checkFile(join(folder, each.name), each.kind, choose(each));
      for (const fault of await runInTurns(found, options.signal)) {
        faults.push(`${each.name}: ${fault}`);
      }
    }
    checks.push({ name, found: names.join(", "), faults });
  };
  await check("structure", () => checkStructure);
  checks.push(compareCounts(folder, manifest, names));
  const digests = readDigests(join(folder, databaseNames.control), activeKeys);
  const { done, faults } = await options.tryFolder(folder, digests);
  checks.push({ name: "opened", found: done.join("; "), faults });
  // The trial has migrated the files to the newest version. This check needs the newest version.
  await check("content", ({ checkContent }) => checkContent);
  return { file, manifest, checks };
}

const activeKeys = `SELECT digest AS value FROM api_key JOIN account ON account.id = account_id
  WHERE revoked_ms IS NULL AND NOT disabled`;

function compareCounts(
  folder: string,
  manifest: BackupManifest,
  names: readonly DatabaseName[],
): ArchiveCheck {
  const { instance, audit, counts } = countHoldings(folder, names);
  const faults = Object.entries({ ...manifest.counts, ...counts }).flatMap(([name]) => {
    const [listed, found] = [manifest.counts, counts].map((all) => all[name as keyof typeof all]);
    return listed === found ? [] : [`${name} is ${found}, where the manifest lists ${listed}`];
  });
  if (instance !== manifest.instance) faults.push("its instance differs from the manifest");
  if (!isDeepStrictEqual(audit, manifest.audit))
    faults.push("its audit log ends differently than the manifest says");
  const found = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return { name: "counts", found: found.join(", "), faults };
}

const stepsPerTurn = 20;

/** Runs a check in small steps, so that signals are handled between them. */
async function runInTurns(check: Check, signal?: AbortSignal): Promise<readonly string[]> {
  try {
    for (let steps = 1; ; steps += 1) {
      const step = check.next();
      if (step.done) return step.value;
      if (steps % stepsPerTurn === 0) await Bun.sleep(0);
      if (signal?.aborted)
        throw new Fault("interrupted", "Stopped. The backup was not checked completely.");
    }
  } finally {
    // Closes the database of an unfinished check.
    check.return([]);
  }
}
