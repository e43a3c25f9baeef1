import { describe, expect, test } from "bun:test";
import { gitea } from "../../../src/ingest/forges/adapters/gitea.ts";
import { createTestClient } from "./double.ts";
import { readGiteaRecords, serveRecordedGitea } from "./gitea-double.ts";
import { testGitea } from "./gitea-suite.ts";

describe("Gitea's recorded answers", () => {
  testGitea(async (as) => {
    const double = serveRecordedGitea(as);
    return {
      adapter: gitea.createAdapter(createTestClient(gitea.getApi(double.url)).client, double.url),
      commits: recordedCommits(),
      [Symbol.asyncDispose]: () => double[Symbol.asyncDispose](),
    };
  });

  test("hold what must be dropped, so that dropping it is tested", () => {
    const text = JSON.stringify(readGiteaRecords());
    for (const word of ["limited-lena", "private-petra", "last_login", "ben@corp.example"]) {
      expect(text.includes(word)).toBe(true);
    }
  });
});

function recordedCommits(): string[] {
  const commits = readGiteaRecords().flatMap(
    ({ asked }) => /queue\/git\/commits\/([0-9a-f]{40})/.exec(asked)?.[1] ?? [],
  );
  return [...new Set(commits)].filter((commit) => !/^0+$/.test(commit));
}
