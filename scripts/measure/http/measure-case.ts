/** Measures one kind of call: Roster and a bare server that sends the same bytes take turns. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ServerProcess } from "../../../test/faults/server-process.ts";
import { compileProgram, readCpu, readMemory, startBare } from "../processes.ts";
import { atLeast, atMost, median, type Row } from "../rows.ts";
import { type Answered, ask, assertAlike } from "./answers.ts";
import { type HttpCase, requestsHeld } from "./cases.ts";
import { type Load, type LoadRequest, type LoadResult, runLoad } from "./load.ts";

/** The number of connections for which the bars are set. */
const barConnections = 32;
/** The most that p99 may be, as a multiple of p50. */
const spreadBar = 12;
/**
 * How long each server is called before its first timed run. In its first second Roster takes twice as much processor
 * time for a search as after some 20,000 calls, when its functions are compiled and the cards are cached.
 */
const warmUpSeconds = 6;
/** A run may begin while calls of the last one are still under way, so that a few may be refused. */
const oddShareMax = 0.01;

export interface LoadOptions {
  /** Length of a run; doubled at other than 32 connections. */
  readonly seconds: number;
  /** Number of rounds at 32 connections; half as many at others. */
  readonly rounds: number;
  readonly connections: readonly number[];
  readonly binary: string;
}

export interface CountedAccount {
  readonly key: string;
  /** Calls that were answered 200 or 304. */
  acknowledged: number;
  /** The most calls that were under way when a client closed its connections, and that may have been counted. */
  underWay: number;
}

interface Surroundings {
  readonly server: ServerProcess;
  readonly account: CountedAccount;
  readonly logins: readonly string[];
  /** Folder for the bare programs. */
  readonly work: string;
  readonly options: LoadOptions;
}

interface Run extends LoadResult {
  readonly connections: number;
  readonly cpuSeconds: number;
}

type Pair = Readonly<Record<"roster" | "bare", Run>>;

export async function measureCase(each: HttpCase, around: Surroundings): Promise<Row[]> {
  const { work, options } = around;
  console.error(`${each.name} ...`);
  const { requests, answers } = await draw(each, around);
  const program = join(work, each.bare);
  if (!existsSync(program)) compileProgram(join(import.meta.dir, `${each.bare}.ts`), work);
  const bare = await startBare(program, answers, join(work, `${each.name}.json`));
  try {
    // Who comes first takes turns too, so that neither has the quieter part of the run.
    let isRosterFirst = false;
    const theirs: Answered[] = [];
    for (const request of requests) theirs.push(await ask(bare.address, request));
    assertAlike(answers, theirs);
    const pair = async (connections: number, runSeconds = options.seconds): Promise<Pair> => {
      isRosterFirst = !isRosterFirst;
      // With more connections, more calls are under way at the end and not counted; a longer run reduces their share.
      const seconds = runSeconds * (connections === barConnections ? 1 : 2);
      const load = { requests, connections, seconds };
      if (isRosterFirst) {
        const roster = await measureOurs(each, load, around);
        return { roster, bare: await measureLoad(bare, load) };
      }
      const first = await measureLoad(bare, load);
      return { roster: await measureOurs(each, load, around), bare: first };
    };
    await pair(barConnections, warmUpSeconds);
    const rows: Row[] = [];
    for (const connections of options.connections) {
      const rounds = Math.ceil(options.rounds / (connections === barConnections ? 1 : 2));
      const pairs: Pair[] = [];
      for (let round = 0; round < rounds; round++) pairs.push(await pair(connections));
      rows.push(...toRows(each, connections, pairs));
    }
    const { nowMb } = readMemory(bare.pid);
    return [...rows, { name: `http.${each.name}.bare-memory`, value: nowMb, unit: "MiB" }];
  } finally {
    await bare.kill();
  }
}

/** Draws different requests that get the answer that the case wants. @returns them with their answers. */
async function draw(each: HttpCase, { server, account, logins }: Surroundings) {
  const taken = new Map<string, readonly [LoadRequest, Answered]>();
  const wanted = requestsHeld[each.kind];
  let tries = 0;
  for (const request of each.draw(account.key, logins)) {
    if (taken.size === wanted || tries++ === 10 * wanted) break;
    const answer = await ask(server.address, request);
    if (answer.status < 400) account.acknowledged++;
    if (answer.status !== each.status) continue;
    if (each.name.startsWith("search") && !answer.body.includes('"matchedCount":25,')) continue;
    taken.set(`${request.path} ${request.body}`, [request, answer]);
  }
  if (taken.size < wanted / 2) {
    throw new Error(`${each.name}: only ${taken.size} of ${tries} requests have the right answer`);
  }
  const pairs = [...taken.values()];
  return {
    requests: pairs.map(([request]) => request),
    answers: pairs.map(([, answer]) => answer),
  };
}

/** @throws when more than a few calls get another answer than the case wants. */
async function measureOurs(
  each: HttpCase,
  load: Load,
  { server, account }: Surroundings,
): Promise<Run> {
  const run = await measureLoad(server, load);
  const odd = run.failed + (each.status < 400 ? run.refused : run.calls - run.refused);
  if (odd > run.calls * oddShareMax) {
    throw new Error(`${each.name}: ${odd} of ${run.calls} calls were answered otherwise`);
  }
  account.acknowledged += run.calls - run.refused;
  account.underWay += load.connections;
  return run;
}

async function measureLoad(
  { address, pid }: Pick<ServerProcess, "address" | "pid">,
  load: Load,
): Promise<Run> {
  const before = readCpu(pid);
  const result = await runLoad(address, load);
  await settle(pid);
  return { ...result, connections: load.connections, cpuSeconds: readCpu(pid) - before };
}

/** Waits until the calls that were under way when the client ended are done, so that they do not disturb the next run. */
async function settle(pid: number): Promise<void> {
  const giveUpAt = performance.now() + 2000;
  for (let last = -1; performance.now() < giveUpAt; await Bun.sleep(50)) {
    const now = readCpu(pid);
    if (now === last) return;
    last = now;
  }
}

function toRows(
  { name, bar, bare: program }: HttpCase,
  connections: number,
  pairs: readonly Pair[],
): Row[] {
  const at = `http.${name}.c${connections}`;
  const middle = (pick: (pair: Pair) => number) => median(pairs.map(pick));
  const rate = ({ calls, seconds }: Run) => calls / seconds;
  // The server has worked on the calls that were under way at the end, too.
  const cpu = ({ calls, cpuSeconds, connections: underWay }: Run) =>
    (cpuSeconds / (calls + underWay)) * 1e6;
  const what = program === "bare-mcp" ? "the bare SDK" : "bare Bun.serve";
  const rateRow: Row = {
    ...{ name: at, value: middle(({ roster }) => rate(roster)), unit: "calls/s" },
    ratio: middle(({ roster, bare }) => rate(roster) / rate(bare)),
    against: { what, value: middle(({ bare }) => rate(bare)) },
  };
  const cpuRow: Row = {
    ...{ name: `${at}.cpu`, value: middle(({ roster }) => cpu(roster)), unit: "us/call" },
    ratio: middle(({ roster, bare }) => cpu(bare) / cpu(roster)),
    against: { what, value: middle(({ bare }) => cpu(bare)) },
  };
  const p50Ms = middle(({ roster }) => roster.p50Ms);
  const p99Row: Row = {
    ...{ name: `${at}.p99`, value: middle(({ roster }) => roster.p99Ms), unit: "ms" },
    ratio: middle(({ roster }) => roster.p99Ms / roster.p50Ms),
    against: { what: "p50", value: p50Ms },
  };
  const isHeld = connections === barConnections && bar !== undefined;
  return [
    rateRow,
    isHeld ? atLeast(bar, cpuRow) : cpuRow,
    { name: `${at}.p50`, value: p50Ms, unit: "ms" },
    isHeld ? atMost(spreadBar, p99Row) : p99Row,
  ];
}
