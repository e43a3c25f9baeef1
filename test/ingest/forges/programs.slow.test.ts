/** The whole program with GitHub and GitLab: clones, forge, search and erasure. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { isLong } from "../../long.ts";
import { inventRepository, run } from "../git/invented-repository.ts";
import type { Double } from "./double.ts";
import { serveGithub } from "./github-double.ts";
import { serveGitlab } from "./gitlab-double.ts";
import { openProgram, type Program, tokenArguments } from "./program.ts";

let roster: Program;
let access: readonly string[];
const authors = new Map<string, string>();
beforeEach(() => {
  roster = openProgram();
  access = tokenArguments(roster.folder, "secret-token");
  authors.clear();
});
afterEach(() => roster[Symbol.dispose]());

/** Three commits of `dev1`, by an address that no profile names, in a clone of a repository on the forge. */
function clone(url: string): string {
  const path = join(roster.folder, "clone.git");
  const commits = Array.from({ length: 3 }, (_, at) => ({
    author: "Dev One <one@home.example>",
    files: { [`step${at}.go`]: `package steps\n\nvar Step${at} = ${at}\n` },
  }));
  inventRepository(path, commits);
  run(path, ["remote", "add", "origin", `${url}.git`]);
  for (const commit of run(path, ["log", "--format=%H"]).toString().trim().split("\n")) {
    authors.set(commit, "dev1");
  }
  return path;
}

const find = async (login: string) => (await roster.people()).find((one) => one.login === login);

interface Forge {
  readonly kind: "github" | "gitlab";
  readonly serve: () => Double;
  /** As the world knows it; the test reaches the forge by another address. */
  readonly repository: string;
  readonly select: readonly string[];
  readonly number: string;
}
const forges: readonly Forge[] = [
  {
    kind: "github",
    serve: () => serveGithub({ people: isLong ? 30 : 8, authors }),
    repository: "https://ghe.corp.example/dev1/app1",
    select: ["--org", "acme"],
    number: "1001",
  },
  {
    kind: "gitlab",
    serve: () => serveGitlab({ people: isLong ? 30 : 8, authors }),
    repository: "https://gitlab.corp.example/dev1/app",
    select: ["--group", "acme/core"],
    number: "501",
  },
];

describe.each([...forges])("the program and $kind", (forge) => {
  const ingest = (url: string, ...more: string[]) =>
    roster.call("ingest", forge.kind, "--url", url, ...access, ...forge.select, ...more);

  test("finds people by place in the order of what they did, and forgets them by number", async () => {
    await using server = forge.serve();
    await roster.ingestGit(clone(forge.repository));
    await ingest(server.url);
    const one = await find("dev1");
    expect(one).toMatchObject({ commits: { total: 3 }, profile: { location: "Berlin" } });
    expect(one?.profile.hireable).toBe(forge.kind === "github" ? true : undefined);
    const host = new URL(server.url).host;
    expect(one?.accounts).toEqual([{ forge: host, login: "dev1", id: forge.number }]);
    const found = JSON.parse(await roster.call("search", "Berlin", "--skills", "Go", "--json"));
    expect(found.data.results[0].login).toBe("dev1");
    const { data } = JSON.parse(await roster.call("get", "dev1", "--json"));
    expect(JSON.stringify(data)).toContain("dev1");
    const before = await roster.exportAll();
    const report = JSON.parse(await ingest(server.url, "--json"));
    expect(report).toMatchObject({ isComplete: true, added: 0, replaced: 0, removed: 0 });
    expect(await roster.exportAll()).toBe(before);
    await roster.call("forget", "dev1");
    await ingest(server.url);
    expect(await find("dev1")).toBeUndefined();
    for (const word of ["one@home.example", "dev1@", "secret-plans", "secret-token"]) {
      expect([word, roster.filesWith(word)]).toEqual([word, []]);
    }
  });
});

test("a limit beyond --wait pauses a run, which the next one goes on with", async () => {
  let isLimited = true;
  await using server = serveGithub({
    people: 45,
    intervene: ({ path }, times) =>
      isLimited && path === "/api/graphql" && times > 1
        ? Response.json({}, { status: 403, headers: { "retry-after": "600" } })
        : undefined,
  });
  const command = ["ingest", "github", "--url", server.url, ...access];
  const run = async () =>
    JSON.parse(await roster.call(...command, "--org", "acme", "--wait", "1", "--json"));
  const paused = await run();
  expect(paused).toMatchObject({ isComplete: false, pausedUntil: expect.stringContaining("T") });
  expect(await roster.people()).toHaveLength(0);
  isLimited = false;
  const asked = server.asked.length;
  const { isComplete, added } = await run();
  expect([isComplete, added]).toEqual([true, 45]);
  // The list and the first question are not asked again.
  expect(server.asked.length - asked).toBe(3);
});
