/**
 * Counts are exact, whatever is sent again: 64 clients send batches, single calls and repeats with an Idempotency-Key, also two of
 * one key at once, to the real program, which is killed again and again. What got no answer is sent again with its key. An oracle
 * that knows only the answers then says what must have been counted, to the call.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inventedPeople } from "../invented-people.ts";
import { isLong } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { until } from "./callers.ts";
import { openOffice } from "./office.ts";
import {
  endServersAfterEach,
  freePort,
  program,
  type ServerProcess,
  startServer,
} from "./server-process.ts";

const newFolder = temporaryFolders();
endServersAfterEach();
const clients = 64;
const rounds = isLong ? 12 : 2;
const answersPerRound = isLong ? 1500 : 400;
const smallLimit = isLong ? 6000 : 300;
const random = createRandom(drawSeed("repeats and kill -9"));
const draw = (below: number) => Math.floor(random() * below);
const logins = inventedPeople.map(({ login }) => login);

interface Holder {
  readonly email: string;
  readonly key: string;
  /** The calls that answers have acknowledged, each key once. */
  counted: number;
  /** The calls of requests without a key that got no answer: each may be counted. */
  unknown: number;
  /** The cost of each refused request: at its time, this many were no longer left. */
  readonly refused: number[];
}

interface Request {
  readonly holder: Holder;
  readonly path: string;
  readonly body: object;
  readonly cost: number;
  readonly callKey: string | undefined;
}

function drawRequest(holder: Holder): Request {
  // Every request has a number of its own, so that no two with different keys are alike.
  const nobody = `nobody-${draw(1e9)}`;
  const callKey = random() < 0.8 ? crypto.randomUUID() : undefined;
  if (random() < 0.3) {
    const body = { username: nobody };
    return { holder, path: "/v1/profile/analyze", body, cost: 1, callKey };
  }
  const first = draw(logins.length);
  const asked = logins.slice(first, first + 1 + draw(6));
  const body = { logins: [...asked, nobody] };
  return { holder, path: "/v1/users/batch", body, cost: asked.length, callKey };
}

/** @returns the status; undefined if there was no answer. */
async function send(
  { address }: ServerProcess,
  { holder, path, body, callKey }: Request,
): Promise<number | undefined> {
  const headers: Record<string, string> = {
    ...{ "x-api-key": holder.key, "content-type": "application/json", connection: "close" },
    ...(callKey !== undefined && { "idempotency-key": callKey }),
  };
  const init = { method: "POST", headers, body: JSON.stringify(body), keepalive: false };
  try {
    const response = await fetch(address + path, init);
    await response.text();
    return response.status;
  } catch {
    return undefined;
  }
}

/** What the clients share. */
interface World {
  server: ServerProcess;
  answers: number;
  isStopped: boolean;
  readonly open: Set<Request>;
  readonly violations: string[];
}

/** Notes what an answer says. @returns whether it settles the request. */
function note(world: World, request: Request, status: number | undefined): boolean {
  const { holder, cost, callKey } = request;
  if (status === 200 || status === 404) {
    if (callKey === undefined || world.open.has(request)) holder.counted += cost;
  } else if (status === 429) holder.refused.push(cost);
  else if (status === undefined || status === 503) {
    if (status === undefined && callKey === undefined) holder.unknown += cost;
    return callKey === undefined;
  } else world.violations.push(`${request.path}: ${status}`);
  world.open.delete(request);
  world.answers += 1;
  return true;
}

async function askOnAndOn(world: World, holders: readonly Holder[]): Promise<void> {
  const done: Request[] = [];
  while (!world.isStopped) {
    const request = drawRequest(holders[draw(holders.length)] as Holder);
    if (request.callKey !== undefined) world.open.add(request);
    // Now and then the same request twice at once.
    const times = request.callKey !== undefined && random() < 0.2 ? 2 : 1;
    const statuses = await Promise.all(
      Array.from({ length: times }, () => send(world.server, request)),
    );
    const isSettled = statuses.map((status) => note(world, request, status)).some(Boolean);
    if (!isSettled) await Bun.sleep(5);
    const isKept = statuses.includes(200) || statuses.includes(404);
    if (isKept && request.callKey !== undefined) done.push(request);
    const earlier = random() < 0.3 ? done[draw(done.length)] : undefined;
    if (!earlier) continue;
    const status = await send(world.server, earlier);
    // A repeat is answered as before, also with a spent quota, and never counted.
    if (status !== undefined && status !== 200 && status !== 404 && status !== 503) {
      world.violations.push(`a repeat was answered ${status}`);
    }
  }
}

test(`${clients} clients with batches, repeats and ${rounds} kills: counts are exact`, async () => {
  const folder = join(newFolder(), "data");
  const people = `${folder}.jsonl`;
  writeFileSync(people, inventedPeople.map((facts) => `${JSON.stringify(facts)}\n`).join(""));
  const imported = Bun.spawnSync([...program, "import", people, "--data", folder]);
  expect(imported.exitCode).toBe(0);
  const port = await freePort();
  const start = () => startServer(folder, port, ["env", "ROSTER_QUOTA_LOOKUPS_PER_MINUTE=100000"]);
  const world: World = {
    ...{ server: await start(), answers: 0, isStopped: false, open: new Set(), violations: [] },
  };
  const office = await openOffice(folder);
  const holders = await Promise.all(
    ["ada", "bob", "cyd"].map(async (name, index): Promise<Holder> => {
      const email = `${name}@example.com`;
      const limit = index === 0 ? smallLimit : "unlimited";
      const limits = { callsPerDay: "unlimited", callsPerMonth: limit } as const;
      const { key } = await office.accounts.create({ email, plan: "enterprise", ...limits });
      return { email, key, counted: 0, unknown: 0, refused: [] };
    }),
  );
  for (let round = 0; round < rounds; round += 1) {
    world.isStopped = false;
    const before = world.answers;
    const asking = Array.from({ length: clients }, () => askOnAndOn(world, holders));
    await until(() => world.answers - before >= answersPerRound);
    await Bun.sleep(random() * 300);
    await world.server.kill();
    world.isStopped = true;
    await Promise.all(asking);
    world.server = await start();
    // What got no answer before the kill is asked again, with its key: it counts once in all.
    for (const request of [...world.open]) {
      while (!note(world, request, await send(world.server, request))) await Bun.sleep(20);
    }
    expect(world.violations).toEqual([]);
    for (const { email, counted, unknown, refused } of holders) {
      const { used, limit } = await office.usedBy(email);
      const isExact = used >= counted && used <= counted + unknown;
      expect({ email, used, counted, unknown, isExact }).toMatchObject({ isExact: true });
      if (limit < 0) continue;
      expect(used).toBeLessThanOrEqual(limit);
      // Nobody was refused with enough calls left: counts only grow.
      for (const cost of refused) expect(used + cost).toBeGreaterThan(limit);
    }
  }
  expect(holders[0]?.refused.length).toBeGreaterThan(0);
  const sum = (of: "counted" | "unknown") => holders.reduce((all, one) => all + one[of], 0);
  process.stdout.write(
    `${rounds} kills, ${world.answers} answered, ${sum("counted")} counted, ${sum("unknown")} of unknown outcome\n`,
  );
  office.close();
}, 900_000);
