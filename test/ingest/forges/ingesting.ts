/** A pool with both ledgers in memory, filled by git and by invented forges. */

import { noFiles } from "../../../src/ingest/git/identity/rules.ts";
import {
  type ForgeIngest,
  type ForgeSelection,
  ingestForge,
  openForgeLedger,
} from "../../../src/ingest/ingest.ts";
import { run } from "../git/invented-repository.ts";
import { judgeAsOf, openData } from "../git/opened-data.ts";
import { asOf, vocabulary } from "../git/read.ts";
import { createTestClock } from "./double.ts";

export function openForgeData() {
  const data = openData();
  const forges = openForgeLedger(":memory:");
  const now = () => new Date("2026-11-21T12:00:00Z");
  const files = { ...noFiles, forges };
  const ingestFrom = (
    url: string,
    more: Partial<ForgeIngest> & {
      readonly selections?: readonly ForgeSelection[];
      readonly id?: string;
    } = {},
  ) => {
    const { selections = [{ kind: "all" }], id = "corp", access, ...rest } = more;
    return ingestForge({
      source: { id, kind: "gitea", url, selections },
      access: { token: "secret-token", waitMax: 60_000, clock: createTestClock(), ...access },
      ...{ pool: data.pool, ledger: data.ledger, forges, files, vocabulary, asOf, now },
      ...{ judge: judgeAsOf(asOf), modelVersion: "1" },
      ...rest,
    });
  };
  const ingestGit = (paths: readonly string[]) => data.ingest(paths, { files });
  const facts = async (login: string) => (await data.pool.findFacts([login]))[0];
  return { ...data, forges, files, ingestFrom, ingestGit, facts };
}

/** Gives a repository the remote of a forge. */
export function setOrigin(path: string, url: string): string {
  run(path, ["config", "remote.origin.url", url]);
  return path;
}

export function listCommits(
  path: string,
): readonly { readonly sha: string; readonly email: string }[] {
  const lines = run(path, ["log", "--format=%H %ae", "main"]).toString().trim().split("\n");
  return lines.map((line) => {
    const [sha = "", email = ""] = line.split(" ");
    return { sha, email };
  });
}
