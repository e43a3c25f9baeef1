/**
 * How long the executable takes from its start to its first 200, with the demo pool loaded, against the
 * least that a program of this stack can do: one that imports elysia and drizzle, opens the same two files
 * and answers one route, compiled with the same flags. Paired runs, medians, the ratio, each held to the bar:
 * /readyz, which is 200 only when the index is loaded and a write succeeded; a first look-up; and a first
 * search, which also reads the gazetteer and the vocabulary. A start on an empty folder, which puts the
 * demo people into place, has two seconds until /readyz.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMost, median, report } from "./rows.ts";

const bar = 4;
const firstBar = 2000;
const root = join(import.meta.dir, "../..");

/** @param argv `--runs N` (default 10), `--json`. */
export async function benchStart(argv: readonly string[]): Promise<boolean> {
  const runs = Number(argv[argv.indexOf("--runs") + 1]) || 10;
  const roster = join(root, "dist/roster");
  if (!existsSync(roster)) throw new Error("dist/roster is missing: run scripts/build first");
  const folder = mkdtempSync(join(tmpdir(), "roster-start-"));
  try {
    const bare = await buildBare(folder);
    const data = join(folder, "data");
    const keyFile = join(folder, "key");
    const serve = ["serve", "--data", data, "--admin-key-file", keyFile, "--log-level", "silent"];
    const headers = () => ({
      "x-api-key": readFileSync(keyFile, "utf8").trim(),
      "content-type": "application/json",
    });
    const body = JSON.stringify({ location: "Berlin", skills: ["Go"] });
    const firsts: Record<string, Request> = {
      ready: () => ({ path: "/readyz" }),
      get: () => ({ path: "/v1/users/ada-example", init: { headers: headers() } }),
      search: () => ({ path: "/v1/search", init: { method: "POST", headers: headers(), body } }),
    };
    const empty: number[] = [];
    for (let run = 0; run < Math.min(runs, 5); run++) {
      // The last one's folder is that of the starts below.
      rmSync(data, { recursive: true, force: true });
      empty.push(await timeToFirst200([roster, ...serve], firsts["ready"] as Request));
    }
    const value = median(empty);
    const rows = [atMost(firstBar, { name: "start.empty-folder-ready", value, unit: "ms" })];
    for (const [name, request] of Object.entries(firsts)) {
      const pairs: { roster: number; bare: number }[] = [];
      for (let run = 0; run < runs; run++) {
        pairs.push({
          roster: await timeToFirst200([roster, ...serve], request),
          bare: await timeToFirst200([bare, data], () => ({ path: "/" })),
        });
      }
      const ratio = median(pairs.map((pair) => pair.roster / pair.bare));
      rows.push(
        atMost(bar, {
          name: `start.${name}`,
          value: median(pairs.map((pair) => pair.roster)),
          unit: "ms",
          ratio,
          against: { what: "a bare program", value: median(pairs.map((pair) => pair.bare)) },
        }),
      );
    }
    return report(rows, argv.includes("--json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const bareProgram = `
import { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { sql } from "drizzle-orm";
import { Elysia } from "elysia";
const files = ["control.db", "pool.db"].map((name) => drizzle(new Database(process.argv[2] + "/" + name)));
for (const file of files) file.get(sql\`select count(*) from sqlite_master\`);
new Elysia().get("/", () => "ok").listen({ hostname: "127.0.0.1", port: Number(process.env.PORT) });
`;

async function buildBare(folder: string): Promise<string> {
  // Inside the checkout, so that the same packages resolve; removed at once.
  const entry = join(root, "dist", "bare.tmp.ts");
  const out = join(folder, "bare");
  writeFileSync(entry, bareProgram);
  try {
    const flags = "--compile --minify --sourcemap --bytecode --splitting --format=esm".split(" ");
    const guards = ["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"];
    const command = [process.execPath, "build", ...flags, ...guards, entry, "--outfile", out];
    const { exitCode, stderr } = Bun.spawnSync(command);
    if (exitCode !== 0) throw new Error(`the bare program does not build: ${stderr.toString()}`);
    return out;
  } finally {
    rmSync(entry);
  }
}

type Request = () => { readonly path: string; readonly init?: RequestInit };

/** Milliseconds from the spawn to the first answer 200; the process is stopped after. */
async function timeToFirst200(command: readonly string[], request: Request): Promise<number> {
  const port = freePort();
  const startedAt = performance.now();
  const child = Bun.spawn(
    [...command, ...(command.includes("serve") ? ["--port", `${port}`] : [])],
    {
      stdout: "ignore",
      stderr: "ignore",
      env: { ...process.env, PORT: String(port) },
    },
  );
  try {
    while (performance.now() - startedAt < 60_000) {
      if (await answers(port, request)) return performance.now() - startedAt;
      await Bun.sleep(1);
    }
    throw new Error(`${command[0]} did not answer within a minute`);
  } finally {
    child.kill();
    await child.exited;
  }
}

async function answers(port: number, request: Request): Promise<boolean> {
  try {
    const { path, init } = request();
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  if (!port) throw new Error("no free port");
  return port;
}
