/** Records the answers of a real Gitea to every question of the adapter, for tests that run without one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createForgeClient } from "../../src/ingest/forges/adapters/client.ts";
import { gitea as connector } from "../../src/ingest/forges/adapters/gitea.ts";
import { serveDouble } from "../../test/ingest/forges/double.ts";
import {
  exerciseGitea,
  type GiteaReader,
  type GiteaRecord,
  recordedOrigin,
  recordsFile,
} from "../../test/ingest/forges/gitea-double.ts";
import { addReviewedChange, seedGitea } from "./gitea-people.ts";
import { type Gitea, startGitea } from "./gitea-server.ts";

export async function recordGitea(binary: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "roster-gitea-"));
  const gitea = await startGitea(binary, folder);
  try {
    const { token } = await seedGitea(gitea);
    await addReviewedChange(gitea);
    const records = [
      ...(await recordReader(gitea, "ordinary", token)),
      ...(await recordReader(gitea, "administrator", gitea.token)),
    ];
    writeFileSync(recordsFile, JSON.stringify(records));
  } finally {
    await gitea.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns one commit of each author of `acme/queue`. */
export async function findSampleCommits(gitea: Gitea): Promise<string[]> {
  const list = await gitea.call<{ sha: string }[]>("GET", "/repos/acme/queue/commits?limit=3");
  return list.map(({ sha }) => sha);
}

async function recordReader(gitea: Gitea, as: GiteaReader, token: string): Promise<GiteaRecord[]> {
  const records = new Map<string, GiteaRecord>();
  await using proxy = serveDouble(async (request) => {
    const { pathname, search, origin } = new URL(request.url);
    const answer = await fetch(`${gitea.url}${pathname}${search}`, {
      headers: { authorization: request.headers.get("authorization") ?? "" },
      redirect: "manual",
    });
    const text = await answer.text();
    const kept = ["link", "x-total-count", "location", "content-type"].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value.replaceAll(gitea.url, recordedOrigin)]];
    });
    records.set(pathname + search, {
      ...{ as, asked: pathname + search, status: answer.status },
      headers: Object.fromEntries(kept),
      body: text ? JSON.parse(text.replaceAll(gitea.url, recordedOrigin)) : null,
    });
    const headers = { link: (answer.headers.get("link") ?? "").replaceAll(gitea.url, origin) };
    return new Response(text, { status: answer.status, ...(headers.link && { headers }) });
  });
  const api = connector.getApi(proxy.url);
  const client = createForgeClient({ source: "record", api, token, waitMax: 0 });
  await exerciseGitea(
    connector.createAdapter(client, proxy.url),
    await findSampleCommits(gitea),
    as,
  );
  return [...records.values()];
}
