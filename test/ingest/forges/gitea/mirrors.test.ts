/** Repositories of a real Gitea, mirrored and read: people of a place with what they did. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import {
  addGiteaCrowd,
  addRepository,
  commitsOfEach,
} from "../../../../scripts/forges/gitea-people.ts";
import { hasBrowser, launch, openTab } from "../../../browser.ts";
import {
  endServersAfterEach,
  freePort,
  program,
  startServer,
} from "../../../faults/server-process.ts";
import { goodPassword } from "../../../interfaces/web/person.ts";
import { run } from "../../git/invented-repository.ts";
import { openProgram } from "../program.ts";
import { hasGitea, openGitea, type SeededGitea } from "./real-gitea.ts";

endServersAfterEach();

// Gitea starts in seconds, and the program is started often.
setDefaultTimeout(300_000);

describe.skipIf(!hasGitea)("mirrors of a real Gitea", () => {
  let gitea: SeededGitea;
  beforeAll(async () => {
    gitea = await openGitea();
    await addGiteaCrowd(gitea, 448 - 5);
    for (let at = 0; at < 3; at++) {
      const login = `person00${at * 4}`;
      await addRepository(gitea, {
        ...{ owner: login, name: "server" },
        commits: Array.from({ length: 24 - at * 6 }, (_, step) => ({
          // What was done lately counts most.
          at: Math.floor(Date.now() / 1000) - (24 - step) * 5 * 86_400,
          author: `Person ${at} <${login}@corp.example>`,
          message: "feat(server): handle one more route, because callers asked",
          files: {
            [`api/route${step}.go`]: `package api\n\nimport "net/http"\n\nfunc Route${step}(w http.ResponseWriter) {}\n`,
          },
        })),
      });
    }
  });
  afterAll(() => gitea?.stop());

  test("answer a place, a role and a language with people in the order of their work", async () => {
    using roster = openProgram();
    const mirrors = join(roster.folder, "mirrors");
    const ingest = () => roster.ingestGitea(gitea.url, gitea.ordinaryToken, "--mirror", mirrors);
    await ingest();
    const people = await roster.people();
    expect(people).toHaveLength(448);
    const working = people.filter(({ commits }) => commits !== undefined);
    expect(working.map(({ login, commits }) => [login, commits?.total]).sort()).toEqual([
      ["ada", commitsOfEach],
      ["ben", commitsOfEach],
      ["cleo", commitsOfEach],
      ["person000", 24],
      ["person004", 18],
      ["person008", 12],
    ]);
    const text = await roster.call(
      "search",
      "Berlin",
      "--role",
      "backend",
      "--skills",
      "Go",
      "--json",
    );
    const { results } = JSON.parse(text).data as { results: { login: string }[] };
    const logins = results.map(({ login }) => login);
    expect(logins.slice(0, 3)).toEqual(["person000", "person004", "person008"]);
    const invitation = JSON.parse(
      await roster.call("account", "invite", email, "--plan", "pro", "--json"),
    );
    const { answers, page } = await askServer(roster.data, invitation.link);
    for (const answer of answers) {
      expect(answer.data.results.map(({ login }) => login)).toEqual(logins);
      expect(answer.data.results[0]?.profile_url).toBe(`${gitea.url}/person000`);
    }
    if (hasBrowser) expect(page).toEqual(logins);
    const before = await roster.exportAll();
    await ingest();
    expect(await roster.exportAll()).toBe(before);
    const queue = join(mirrors, new URL(gitea.url).host.replace(":", "+"), "acme/queue.git");
    expect(run(queue, ["rev-list", "--count", "HEAD"]).toString().trim()).toBe("36");
    expect(existsSync(join(queue, "../../ada/private-plans.git"))).toBe(false);
    expect(run(queue, ["config", "--list"]).toString()).not.toContain(gitea.ordinaryToken);

    await gitea.call("PATCH", "/repos/acme/queue", { private: true });
    // Whatever an administrator's token may read.
    const token = [gitea.url, gitea.token, "--mirror", mirrors, "--json"] as const;
    const { warnings } = JSON.parse(await roster.ingestGitea(...token));
    expect(warnings).toEqual([expect.stringContaining("roster ingest forget acme/queue")]);
  });
});

interface Answer {
  readonly data: { readonly results: readonly { login: string; profile_url?: string }[] };
}

const query = { location: "Berlin", role: "backend", skills: ["Go"] };

const email = "recruiter@corp.example";

/** The same question by REST, by an assistant's tool, and on the page of who accepts the invitation. */
async function askServer(data: string, invitation: string) {
  const server = await startServer(data, await freePort());
  const key = readFileSync(`${data}.key`, "utf8").trim();
  const rest = await fetch(`${server.address}/v1/search`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify(query),
  });
  const client = new Client({ name: "roster-test", version: "1" });
  const [command = "", ...args] = program;
  const env = { ROSTER_API_KEY: key, ROSTER_URL: server.address };
  await client.connect(new StdioClientTransport({ command, args: [...args, "mcp"], env }));
  const result = await client.callTool({ name: "search_developers", arguments: query });
  await client.close();
  const answers = [await rest.json(), { data: result.structuredContent }] as Answer[];
  const page = hasBrowser ? await askPage(server.address, invitation) : [];
  await server.kill();
  return { answers, page };
}

/** @returns the logins of the people that the search page shows. */
async function askPage(address: string, invitation: string): Promise<string[]> {
  const browser = await launch();
  try {
    const { tab } = await openTab(browser, address);
    const { pathname, search } = new URL(invitation);
    await tab.goto(pathname + search);
    await tab.getByLabel("New password").fill(goodPassword);
    await tab.getByRole("button", { name: "Accept and sign in" }).click();
    await tab.waitForURL("/");
    await tab.goto("/");
    await tab.getByRole("combobox", { name: "Where" }).fill(query.location);
    await tab.locator("#role").selectOption(query.role);
    await tab.getByRole("combobox", { name: "Skills" }).fill(query.skills.join(", "));
    await tab.getByRole("button", { name: "Search", exact: true }).click();
    await tab.waitForURL(/location=Berlin/);
    const links = await tab.locator(".person-who a").all();
    const paths = await Promise.all(links.map((link) => link.getAttribute("href")));
    // The address of a person keeps the query.
    return paths.map((path) => new URL(path ?? "", address).pathname.replace("/developers/", ""));
  } finally {
    await browser.close();
  }
}
