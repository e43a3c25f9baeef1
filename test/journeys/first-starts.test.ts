/**
 * Many first minutes, each drawn: what is imported, in which order, and which of the two processes is killed when. The server and
 * every other process must always see one pool. `TEST_FIRST_STARTS=300` runs as many; `TEST_SEED` repeats.
 */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../faults/server-process.ts";
import { isLong } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";
import {
  type Desk,
  expectDone,
  isBuilt,
  listDeletedFiles,
  openDesk,
  type RunningServer,
  seeSoon,
} from "./desk.ts";

const rounds = Number(process.env["TEST_FIRST_STARTS"] ?? (isLong ? 10 : 3));
const demoPeople = 5000;
const minutes = 60_000;

interface Plan {
  readonly authors: number;
  readonly imported: number;
  readonly isImportFirst: boolean;
  /** Which of the steps is disturbed, in which process, how, and after how many milliseconds. */
  readonly step: number;
  readonly isServerEnded: boolean;
  readonly signal: "SIGTERM" | "SIGKILL";
  readonly afterMs: number;
}

/** A command, how many people there are once it has ended, and about how long it takes, in milliseconds. */
interface Step {
  readonly args: readonly string[];
  readonly total: number;
  readonly takesMs: number;
}

function drawPlan(random: () => number): Plan {
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  return {
    authors: 2 + upTo(8),
    imported: 50 + upTo(2500),
    isImportFirst: random() < 0.5,
    step: upTo(2),
    isServerEnded: random() < 0.5,
    signal: random() < 0.5 ? "SIGKILL" : "SIGTERM",
    // As a part of the usual duration; beyond 1 the command has ended.
    afterMs: random() * 1.2,
  };
}

describe.skipIf(!isBuilt)("first starts with default settings, disturbed", () => {
  const seed = drawSeed("first starts");
  for (let round = 0; round < rounds; round += 1) {
    const plan = drawPlan(createRandom(seed * 1000 + round));
    const { step, isServerEnded, signal } = plan;
    const whom = `${signal} to the ${isServerEnded ? "server" : "command"}`;
    test(
      `round ${round}: ${whom} in step ${step + 1} of ${plan.isImportFirst ? "import, ingest" : "ingest, import"}, forget`,
      async () => {
        const desk = openDesk();
        try {
          await live(desk, plan);
        } finally {
          await desk.clear();
        }
      },
      5 * minutes,
    );
  }
});

async function live(desk: Desk, plan: Plan): Promise<void> {
  await writeRepository(desk, plan.authors);
  writeFacts(desk, plan.imported);
  const port = ["--port", String(await freePort())];
  let server = await desk.serve(...port);
  const key = server.printed("key").split(" ")[0] ?? "";
  const steps = listSteps(plan);
  let before = demoPeople;
  for (const [at, { args, total, takesMs }] of steps.entries()) {
    const isDisturbed = at === plan.step;
    const command = desk.begin(...args);
    if (isDisturbed) {
      await Bun.sleep(plan.afterMs * takesMs);
      if (plan.isServerEnded) await server.stop(plan.signal);
      else command.kill(plan.signal);
    }
    const exitCode = await command.exited;
    if (isDisturbed && plan.isServerEnded) server = await restart(desk, server, port);
    if (exitCode !== 0) {
      // Only a killed command may fail; then all or nothing of it has happened, and it can be repeated.
      expect([at, plan.isServerEnded]).toEqual([plan.step, false]);
      await seeAlike(desk, server, key, [before, total]);
      expectDone(await desk.roster(...args));
    }
    await seeAlike(desk, server, key, [total]);
    expect(listDeletedFiles(server.pid, desk.folder)).toEqual([]);
    before = total;
  }
  await server.stop("SIGTERM");
  server = await restart(desk, server, port);
  await seeAlike(desk, server, key, [before]);
  await server.stop();
  expectWhole(server);
  checkIntegrity(desk);
  expect(expectDone(await desk.roster("doctor"))).not.toMatch(/^(fault|warning)(?! +backup)/m);
}

function listSteps({ authors, imported, isImportFirst }: Plan): readonly Step[] {
  const ingest = { args: ["ingest", "git", "shop", "--quiet"], takesMs: 400 };
  const load = { args: ["import", "facts.jsonl", "--quiet"], takesMs: 400 + imported };
  // Whoever was there first is asked to be forgotten.
  const forgotten = isImportFirst ? "person-1-example" : "author-1@example.com";
  const all = authors + imported;
  const forget = { args: ["forget", forgotten], total: all - 1, takesMs: 700 };
  return isImportFirst
    ? [{ ...load, total: imported }, { ...ingest, total: all }, forget]
    : [{ ...ingest, total: authors }, { ...load, total: all }, forget];
}

async function writeRepository(desk: Desk, authors: number): Promise<void> {
  const commits = Array.from({ length: authors }, (_, at) => {
    const as = `-c user.name='Author Number${at}' -c user.email=author-${at}@example.com`;
    return `echo 'export const n = ${at};' >file${at}.ts && git add . && git ${as} commit -qm 'feat: add file ${at}'`;
  });
  expectDone(await desk.shell(`git init -q shop && cd shop && ${commits.join(" && ")}`));
}

function writeFacts(desk: Desk, people: number): void {
  const lines = Array.from({ length: people }, (_, at) =>
    JSON.stringify({
      ...{ login: `person-${at}-example`, source: "forge.example" },
      profile: { name: `Person ${at} Example`, location: at % 2 ? "Berlin" : "Lisbon" },
      ...{ emails: [], repositories: [], evidence: [] },
    }),
  );
  writeFileSync(join(desk.folder, "facts.jsonl"), `${lines.join("\n")}\n`);
}

async function restart(
  desk: Desk,
  server: RunningServer,
  port: readonly string[],
): Promise<RunningServer> {
  expectWhole(server);
  return desk.serve(...port);
}

/** Expects a log that never called anything damaged or asked to restore a backup. */
function expectWhole({ log }: RunningServer): void {
  const lines = log().split("\n");
  expect(
    lines.filter((line) => /damage|restore|SQLITE|"level":"(error|fatal)"/i.test(line)),
  ).toEqual([]);
}

/** Waits until the server and a process of its own give one answer, with one of these totals. */
async function seeAlike(
  desk: Desk,
  server: RunningServer,
  key: string,
  totals: readonly number[],
): Promise<void> {
  const args = ["search", "Worldwide", "--max-results", "100", "--json"];
  const other = JSON.parse(expectDone(await desk.roster(...args)));
  const isReady = async () => (await fetch(`${server.address}/readyz`)).json();
  const { data } = await seeSoon(
    () => callSearch(server.address, key),
    (seen) => Bun.deepEquals(seen.data, other.data),
  );
  expect(totals).toContain(data.totalCount);
  expect(await isReady()).toMatchObject({ ready: true });
}

async function callSearch(address: string, key: string) {
  const response = await fetch(`${address}/v1/search`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ location: "Worldwide", maxResults: 100 }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as { readonly data: { readonly totalCount: number } };
}

function checkIntegrity({ folder }: Desk): void {
  for (const name of ["control", "pool", "ingest"]) {
    const path = join(folder, "roster-data", `${name}.db`);
    expect(existsSync(path)).toBe(true);
    const database = new Database(path);
    const [row] = database.query("PRAGMA integrity_check").all();
    database.close();
    expect([name, row]).toEqual([name, { integrity_check: "ok" }]);
  }
}
