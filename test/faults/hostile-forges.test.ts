/** A forge that keeps silent or never ends is bounded in time, memory and bytes, keeps no other from its turn, and no server from stopping. */
import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveDouble } from "../ingest/forges/double.ts";
import { type HostileGit, serveHostileGit } from "../ingest/forges/hostile-git.ts";
import { isLong } from "../long.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { endServersAfterEach, freePort, program, startServer } from "./server-process.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

interface Forge extends AsyncDisposable {
  readonly url: string;
  readonly isBusy: () => boolean;
}

/** One person with one repository, whose size the forge states as one megabyte. */
const listGitea = (path: string): unknown => {
  if (path.includes("/users/search")) return { data: [{ id: 1, login: "ada" }] };
  if (!path.includes("/repos/search")) return [];
  return { data: [{ id: 1, full_name: "ada/app", private: false, owner: { id: 1 }, size: 1 }] };
};

async function hostileGit(how: HostileGit): Promise<Forge> {
  const forge = await serveHostileGit(how, listGitea);
  return Object.assign(forge, { isBusy: () => forge.state.asked > 0 });
}

/** @param answer of each list of people, by the number of the request. */
function hostileList(answer: (url: string, times: number) => Response): Forge {
  const forge = serveDouble(({ url }, times) =>
    url.includes("/users/search") ? answer(url, times) : Response.json([]),
  );
  return Object.assign(forge, { isBusy: () => forge.asked.length > 0 });
}

const endlessPeople = (url: string, times: number): Response => {
  const data = Array.from({ length: 50 }, (_, at) => {
    return { id: times * 100 + at, login: `p${times}x${at}`, full_name: "P", location: "Berlin" };
  });
  const link = `<${url.split("?")[0]}?page=${times + 1}>; rel="next"`;
  return Response.json({ data }, { headers: { link } });
};

const forges: readonly (readonly [string, () => Forge | Promise<Forge>])[] = [
  ["a git that keeps silent", () => hostileGit("silent")],
  ["a git that trickles", () => hostileGit("trickling")],
  ["a pack without an end", () => hostileGit("endless")],
  ["refs without an end", () => hostileGit("endless refs")],
  ["people without an end", () => hostileList(endlessPeople)],
  ["the same page again and again", () => hostileList((url) => endlessPeople(url, 1))],
  ["brackets without an end", () => hostileList(() => new Response("[".repeat(15_000_000)))],
];

/** Forges during which the server is stopped; scripts/explore does it for all. */
const stoppedMeanwhile = [
  "a git that keeps silent",
  "a pack without an end",
  "people without an end",
];

/** Watches the memory of the processes that a server starts, and of those that they start. */
function watchChildren(server: number) {
  let peak = 0;
  const look = () => {
    const listed = Bun.spawnSync(["ps", "-e", "-o", "pid=,ppid=,rss="]).stdout.toString();
    const rows = listed
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number));
    const parents = new Map(rows.map(([pid = 0, parent = 0]) => [pid, parent]));
    const isBelow = (pid: number): boolean => {
      const parent = parents.get(pid) ?? 0;
      return parent === server || (parent > 1 && isBelow(parent));
    };
    const sum = rows.reduce((sum, [pid = 0, , rss = 0]) => sum + (isBelow(pid) ? rss : 0), 0);
    peak = Math.max(peak, sum * 1024);
  };
  const timer = setInterval(look, 100);
  return { peak: () => peak, end: () => clearInterval(timer) };
}

const bytesBelow = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => statSync(join(each.parentPath, each.name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.size ?? 0), 0);

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

describe("beside an honest forge", () => {
  test.each([...forges])(
    "%s",
    async (name, open) => {
      const root = newFolder();
      const data = join(root, "data");
      const mirrors = join(root, "mirrors");
      mkdirSync(data);
      await using hostile = await open();
      await using honest = serveDouble((request) => Response.json(listGitea(request.url)));
      const source = (id: string, url: string, more = "") =>
        `[[sources]]\nid = "${id}"\nkind = "gitea"\nurl = "${url}"\nselect = ["all"]\n${more}\n`;
      const bounds = `mirror = "${mirrors}"\nmirrorMegabytes = 20\nmaxPeople = 500`;
      const sources = source("hostile", hostile.url, bounds) + source("honest", honest.url);
      writeFileSync(join(data, "roster.toml"), sources, { mode: 0o600 });
      const flags = ["--timeout", "5s", "--log-level", "silent"];
      const begin = async () => {
        const server = await startServer(data, await freePort(), [], flags, program);
        const children = watchChildren(server.pid);
        ends.push(children.end);
        return { server, children };
      };
      const stop = async ({ server }: Awaited<ReturnType<typeof begin>>) => {
        process.kill(server.pid, "SIGTERM");
        expect(await server.exited).toBe(0);
        const isLeft = () => Bun.spawnSync(["pgrep", "-f", hostile.url]).exitCode === 0;
        while (isLeft()) await Bun.sleep(20);
      };

      if (isLong || stoppedMeanwhile.includes(name)) {
        const first = await begin();
        while (!hostile.isBusy()) await Bun.sleep(20);
        await stop(first);
      }
      const second = await begin();
      while (honest.asked.length === 0) await Bun.sleep(20);
      expect(second.children.peak()).toBeLessThan(1_200_000_000);
      await stop(second);
      expect(bytesBelow(root)).toBeLessThan(60_000_000);
    },
    300_000,
  );
});
