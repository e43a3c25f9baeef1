/**
 * Gitea's own answers, replayed: recorded from a real one by `scripts/seed forge-contracts`, which asks what `exerciseGitea`
 * asks. What was never recorded is not answered.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ForgeAdapter } from "../../../src/ingest/forges/forge.ts";
import { serveDouble } from "./double.ts";
import { walk } from "./walk.ts";

export interface GiteaRecord {
  /** Whose token asked. */
  readonly as: GiteaReader;
  /** Path and query. */
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
export type GiteaReader = "ordinary" | "administrator";

export const recordsFile = join(import.meta.dir, "contracts/gitea.json");
/** Stands for the address of the Gitea that was recorded. */
export const recordedOrigin = "http://gitea.example";

export function readGiteaRecords(): readonly GiteaRecord[] {
  return existsSync(recordsFile) ? JSON.parse(readFileSync(recordsFile, "utf8")) : [];
}

export function serveRecordedGitea(as: GiteaReader, tls?: Parameters<typeof serveDouble>[1]) {
  const records = new Map(
    readGiteaRecords()
      .filter((record) => record.as === as)
      .map((record) => [record.asked, record]),
  );
  return serveDouble((request) => {
    const { pathname, search, origin } = new URL(request.url);
    const record = records.get(pathname + search);
    if (!record) throw new Error(`never recorded: ${as} ${pathname}${search}`);
    const here = (value: unknown) => JSON.stringify(value).replaceAll(recordedOrigin, origin);
    return new Response(here(record.body), {
      status: record.status,
      headers: JSON.parse(here(record.headers)),
    });
  }, tls);
}

/** Every kind of question that the adapter asks. @param commits of the three authors, one each. */
export async function exerciseGitea(
  adapter: ForgeAdapter,
  commits: readonly string[],
  as: GiteaReader,
) {
  const all = await walk(adapter, [{ kind: "all" }]);
  const organization = await walk(adapter, [{ kind: "org", name: "acme" }]);
  const person = await walk(adapter, [{ kind: "user", name: "ben" }]);
  const found = await walk(adapter, [{ kind: "search", name: "cleo" }]);
  // Of a team its members may ask, and administrators.
  const isAllowed = as === "administrator";
  const team = isAllowed && (await walk(adapter, [{ kind: "team", name: "acme/core" }]));
  const numbers = [...all.accounts.map(({ number }) => number), "99999"];
  const byNumber = await adapter.readAccounts(numbers);
  const samples = [...commits, "0".repeat(40)].map((commit) => ({
    repository: "acme/queue",
    commit,
  }));
  const authors = await adapter.findCommitAuthors([
    ...samples,
    { repository: "acme/none", commit: "0".repeat(40) },
  ]);
  const place = { cursor: undefined, since: "2020-01-01T00:00:00Z" };
  const reviews = await adapter.readReviews({ name: "acme/queue" }, place);
  return { all, organization, person, found, team, byNumber, authors, reviews };
}
