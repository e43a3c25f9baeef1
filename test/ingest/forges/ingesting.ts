/** A pool with both ledgers in memory, filled by git and by invented forges. */
import { noFiles } from "../../../src/ingest/git/identify/rules.ts";
import {
  type ForgeIngest,
  type ForgeSelection,
  freezeForges,
  ingestForge,
  openForgeLedger,
} from "../../../src/ingest/ingest.ts";
import { run } from "../git/invented-repository.ts";
import { judgeAsOf, openData } from "../git/opened-data.ts";
import { asOf, vocabulary } from "../git/read.ts";
import { createTestClock } from "./double.ts";

/** @param path of the ledger of forges; in memory, no run keeps another one out. */
export function openForgeData(path = ":memory:") {
  const data = openData();
  const forges = openForgeLedger(path);
  const now = () => new Date("2026-11-21T12:00:00Z");
  const openFiles = () => ({ ...noFiles, forges: freezeForges(forges) });
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
      ...{ pool: data.pool, ledger: data.ledger, forges, vocabulary, asOf, now },
      ...{ judge: judgeAsOf(asOf), modelVersion: "1" },
      ...rest,
    });
  };
  const ingestGit = (paths: readonly string[]) => data.ingest(paths, { files: openFiles() });
  const facts = async (login: string) => (await data.pool.findFacts([login]))[0];
  return { ...data, forges, openFiles, ingestFrom, ingestGit, facts };
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
