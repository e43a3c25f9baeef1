/** The Gitea adapter against the Gitea that it was written for. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { addReviewedChange } from "../../../../scripts/forges/gitea-people.ts";
import { findSampleCommits } from "../../../../scripts/forges/record-gitea.ts";
import { createForgeClient } from "../../../../src/ingest/forges/adapters/client.ts";
import { gitea as connector } from "../../../../src/ingest/forges/adapters/gitea.ts";
import { readGiteaRecords } from "../gitea-double.ts";
import { testGitea } from "../gitea-suite.ts";
import { hasGitea, openGitea, type SeededGitea } from "./real-gitea.ts";

// Gitea starts in seconds, and the program is started often.
setDefaultTimeout(300_000);

describe.skipIf(!hasGitea)("a real Gitea", () => {
  let gitea: SeededGitea;
  beforeAll(async () => {
    gitea = await openGitea();
    await addReviewedChange(gitea);
  });
  afterAll(() => gitea?.stop());

  testGitea(async (as) => {
    const token = as === "ordinary" ? gitea.ordinaryToken : gitea.token;
    const api = connector.getApi(gitea.url);
    const client = createForgeClient({ source: "corp", api, token, waitMax: 0 });
    const commits = await findSampleCommits(gitea);
    return {
      adapter: connector.createAdapter(client, gitea.url),
      commits,
      [Symbol.asyncDispose]: async () => {},
    };
  });

  test("still answers in the form that was recorded", async () => {
    for (const { as, asked, status, body } of readGiteaRecords()) {
      if (asked.includes("/git/commits/")) continue;
      const token = as === "ordinary" ? gitea.ordinaryToken : gitea.token;
      const answer = await fetch(gitea.url + asked, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(status);
      expect(formOf(await answer.json())).toEqual(formOf(body));
    }
  });
});

/** The names and types of all fields. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (value === null || typeof value !== "object") return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, formOf(item)]));
}
