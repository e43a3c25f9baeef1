/**
 * From `git push` to a search that shows it. A server of many people is asked all the time; then somebody whom nobody
 * knows pushes a commit to a known mirror, `ingest git` runs, and a search for those who worked there is repeated until it
 * counts the new person. The answers to the others while that happens are compared with those of a quiet time before.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { ServerProcess } from "../../../test/faults/server-process.ts";
import { createCaller, fillFolder } from "../large-folder.ts";
import { startRoster } from "../processes.ts";
import { atMost, comparePairs, median, percentile, type Row } from "../rows.ts";
import type { Programs } from "./compare-programs.ts";
import { type Histories, openMirrors } from "./histories.ts";
import { asOf } from "./invent-work.ts";
import { measureRun, type RunUse } from "./measure-run.ts";
import { openPusher, type Pusher } from "./pusher.ts";

const bars = { seconds: 5, p99: 1.5 };
const limitMs = 600_000;

interface PushPlan {
  readonly programs: Programs;
  readonly rounds: number;
  /** People of the pool besides those of the histories. */
  readonly people: number;
  /** Calls a second. */
  readonly rate: number;
  /** Seconds of calls before the push. */
  readonly quiet: number;
  readonly work: string;
}

interface Pushed {
  /** From before the push to the answer that shows it. */
  readonly seconds: number;
  readonly run: RunUse;
  /** Milliseconds of each answer to the others. */
  readonly quiet: readonly number[];
  readonly beside: readonly number[];
}

export async function measurePush(histories: Histories, plan: PushPlan): Promise<Row[]> {
  const filled = join(plan.work, "filled");
  const { key, logins } = await fillFolder(filled, plan.people);
  const sides: Side[] = [];
  const pushed: Pushed[][] = plan.programs.map(() => []);
  try {
    for (const [at, program] of plan.programs.entries()) {
      const place = join(plan.work, `push-${at}`);
      cpSync(filled, join(place, "data"), { recursive: true });
      sides.push(await openSide(histories, { program, place, key, logins }));
    }
    for (let round = 1; round <= plan.rounds; round++) {
      for (const [at, side] of sides.entries()) {
        pushed[at]?.push(await pushOnce(side, round, plan));
      }
    }
  } finally {
    for (const { server } of sides) await server.kill();
  }
  return [
    { name: "push.people", value: plan.people, unit: "people" },
    { name: "push.commits", value: histories.commits, unit: "commits" },
    ...toRows(pushed[0] as Pushed[]),
    ...compareOthers(pushed, plan.programs),
  ];
}

/** One program, with a server on a data folder of its own and mirrors of its own. */
interface Side {
  readonly server: ServerProcess;
  readonly ingest: readonly string[];
  readonly pusher: Pusher;
  call(turn: number): Promise<void>;
  /** How many people have worked in the mirror that is pushed to. */
  countPeople(): Promise<number>;
}

interface SidePlan {
  readonly program: readonly string[];
  readonly place: string;
  readonly key: string;
  readonly logins: readonly string[];
}

async function openSide(histories: Histories, given: SidePlan): Promise<Side> {
  const { program, place, key, logins } = given;
  const data = join(place, "data");
  const { folder: mirrors } = openMirrors(histories, join(place, "mirrors"));
  const [target = ""] = Object.keys(histories.steps);
  const options = ["--as-of", asOf, "--quiet", "--data", data, "--json"];
  const ingest = [...program, "ingest", "git", mirrors, ...options];
  await measureRun(ingest);
  const server = await startRoster(data, [], program);
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const repositories = [target.replace(/\.git$/, "")];
  const body = JSON.stringify({ location: "Worldwide", repositories, maxResults: 1 });
  return {
    ...{ server, ingest },
    pusher: openPusher(join(mirrors, target), join(place, "clone.git")),
    call: createCaller(server.address, key, logins),
    async countPeople() {
      const init = { method: "POST", headers, body };
      const response = await fetch(`${server.address}/v1/search`, init);
      const { data } = (await response.json()) as { data: { totalCount: number } };
      return data.totalCount;
    },
  };
}

async function pushOnce(side: Side, round: number, plan: PushPlan): Promise<Pushed> {
  const author = {
    name: `Newcomer Quillbrook ${"I".repeat(round)}`,
    email: `new-${round}@example.org`,
  };
  side.pusher.commit(author, Date.parse(`${asOf}T00:00:00Z`) / 1000 - 86_400 + round);
  const before = await side.countPeople();
  const ofQuiet = startCalls(side, plan.rate);
  await Bun.sleep(plan.quiet * 1000);
  const quiet = await ofQuiet();
  const ofBeside = startCalls(side, plan.rate);
  const startedAt = performance.now();
  side.pusher.push();
  const running = measureRun(side.ingest);
  let seconds = 0;
  const wait = async () => {
    while ((await side.countPeople()) <= before) {
      if (performance.now() - startedAt > limitMs) throw new Error("no search showed the push");
      await Bun.sleep(20);
    }
    seconds = (performance.now() - startedAt) / 1000;
  };
  const [run] = await Promise.all([running, wait()]);
  return { seconds, run, quiet, beside: await ofBeside() };
}

/** Calls at a steady rate, whether or not earlier ones are answered. @returns what ends them and gives their times. */
function startCalls({ call }: Side, rate: number): () => Promise<readonly number[]> {
  const answered: Promise<number>[] = [];
  const timer = setInterval(() => {
    const startedAt = performance.now();
    answered.push(call(answered.length).then(() => performance.now() - startedAt));
  }, 1000 / rate);
  return () => {
    clearInterval(timer);
    return Promise.all(answered);
  };
}

function toRows(pushed: readonly Pushed[]): Row[] {
  const over = (value: (one: Pushed) => number) => median(pushed.map(value));
  const ms = (which: "quiet" | "beside", percent: number) => {
    const answers = pushed.flatMap((one) => one[which]);
    return { what: which, values: [percentile(answers, percent)] };
  };
  const answers = (percent: number): Row => {
    const about = { name: `push.answer-p${percent}`, unit: "ms" };
    return comparePairs(about, ms("beside", percent).values, ms("quiet", percent));
  };
  return [
    atMost(bars.seconds, {
      name: "push.to-search",
      value: over(({ seconds }) => seconds),
      unit: "s",
    }),
    { name: "push.run", value: over(({ run }) => run.seconds), unit: "s" },
    { name: "push.run-cpu", value: over(({ run }) => run.cpu), unit: "s of CPU" },
    { name: "push.run-peak", value: over(({ run }) => run.peakMb), unit: "MB" },
    answers(50),
    atMost(bars.p99, answers(99)),
  ];
}

function compareOthers(
  [ours = [], ...others]: readonly (readonly Pushed[])[],
  programs: Programs,
): Row[] {
  return others.map((theirs, at) => {
    const what = programs[at + 1]?.join(" ") ?? "";
    const about = { name: `push.to-search-to-${at + 2}`, unit: "s" };
    const values = theirs.map(({ seconds }) => seconds);
    return comparePairs(
      about,
      ours.map(({ seconds }) => seconds),
      { what, values },
    );
  });
}
