/**
 * Who knows what, among a million commits of 50,000 people: one repository has half of them, and fifty others the other
 * half. The questions go through the operation and the real store, in a mix of kinds as people ask them.
 */
import { join } from "node:path";
import { readShippedModel } from "../../../src/analysis/model.ts";
import type { WhoRequest } from "../../../src/contract/people/who-knows.ts";
import { createKnowledgeBase } from "../../../src/knowledge/knowledge.ts";
import type { Modules } from "../../../src/operations/operation.ts";
import { whoKnows } from "../../../src/operations/who-knows.ts";
import type { Pool } from "../../../src/pool/pool.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { invented } from "../../../test/pool/invented.ts";
import { createRandom } from "../../../test/random.ts";
import { inventAuthorship } from "../invented-authorship.ts";
import { defineMeasurement } from "../measurement.ts";
import { measureCpu } from "../processes.ts";
import { atMost, median, percentile, type Row } from "../rows.ts";

const bars = { p50Ms: 20, p99Ms: 100, wideP99Ms: 300 };
const small = 50;
/** The kind of question that is about a change of a hundred files. */
const wide = "change-of-100";
const now = () => new Date("2026-11-21T12:00:00Z");

interface KnownPaths {
  readonly name: string;
  readonly paths: readonly string[];
}

export const measurement = defineMeasurement({
  about: "Questions of who knows what, among a million commits.",
  options: { commits: 1_000_000, questions: 2000 },
  async run({ commits, questions, work }) {
    const file = join(work, "pool.db");
    const pool = openSqlitePool(file, { now });
    const repositories = await fill(pool, commits);
    const rows = await ask(pool, repositories, questions);
    await pool.close();
    return {
      rows: [
        { name: "who.commits", value: commits, unit: "commits" },
        { name: "who.pool", value: Bun.file(file).size / 1e6, unit: "MB" },
        ...rows,
      ],
    };
  },
});

async function fill(pool: Pool, commits: number): Promise<readonly KnownPaths[]> {
  const people = Array.from({ length: commits / 20 }, (_, at) => `dev-${at}`);
  const load = await pool.beginImport("bench");
  for (let at = 0; at < people.length; at += 500) {
    await load.put(people.slice(at, at + 500).map((login) => invented({ login })));
  }
  await load.commit();
  const known: KnownPaths[] = [];
  for (let at = 0; at <= small; at++) {
    const share = at === 0 ? 0.5 : 0.5 / small;
    const from = at === 0 ? 0 : ((at - 1) * people.length) / (2 * small);
    const { repository, paths } = inventAuthorship({
      name: `example/service-${at}`,
      commits: commits * share,
      files: commits * share * 0.12,
      people: people.slice(from, from + people.length * share),
    });
    await pool.authorship.replace(repository);
    await pool.authorship.nameAuthors(
      repository.key,
      people.slice(from, from + people.length * share),
    );
    known.push({ name: repository.name, paths });
  }
  return known;
}

async function ask(
  pool: Pool,
  repositories: readonly KnownPaths[],
  questions: number,
): Promise<readonly Row[]> {
  const model = readShippedModel();
  const knowledge = createKnowledgeBase({ authorship: pool.authorship, model: () => model, now });
  const modules = { pool, knowledge } as Modules;
  const caller = {} as Parameters<typeof whoKnows.run>[2];
  const byKind = new Map<string, number[]>();
  // On a busy machine, elapsed time also counts what others do.
  const processorMs: number[] = [];
  const processorOfWide: number[] = [];
  let before = 0;
  const asked = [...listQuestions(repositories, questions)];
  for (const [at, { kind, request }] of asked.entries()) {
    if (at === Math.floor(questions / 4)) before = measureMemory();
    const startedAt = performance.now();
    const { seconds } = await measureCpu(() => whoKnows.run(request, modules, caller));
    const ms = performance.now() - startedAt;
    processorMs.push(seconds * 1000);
    if (kind === wide) processorOfWide.push(seconds * 1000);
    const known = byKind.get(kind);
    if (known) known.push(ms);
    else byKind.set(kind, [ms]);
  }
  const after = measureMemory();
  const every = [...byKind.values()].flat();
  return [
    { name: "who.questions", value: questions, unit: "calls" },
    ...[...byKind].flatMap(([kind, ms]) => [
      { name: `who.${kind}.p50`, value: median(ms), unit: "ms" },
      { name: `who.${kind}.most`, value: Math.max(...ms), unit: "ms" },
    ]),
    { name: "who.p50-processor", value: percentile(processorMs, 50), unit: "ms of CPU" },
    { name: "who.p99-processor", value: percentile(processorMs, 99), unit: "ms of CPU" },
    atMost(bars.p50Ms, { name: "who.p50", value: percentile(every, 50), unit: "ms" }),
    atMost(bars.p99Ms, { name: "who.p99", value: percentile(every, 99), unit: "ms" }),
    atMost(bars.wideP99Ms, {
      ...{ name: `who.${wide}.p99`, unit: "ms" },
      value: percentile(byKind.get(wide) ?? [], 99),
    }),
    {
      name: `who.${wide}.p99-processor`,
      value: percentile(processorOfWide, 99),
      unit: "ms of CPU",
    },
    { name: "who.memory-after-a-quarter", value: before, unit: "MB" },
    { name: "who.memory-at-the-end", value: after, unit: "MB" },
  ];
}

function measureMemory(): number {
  Bun.gc(true);
  return process.memoryUsage().rss / 1e6;
}

/** Half of the questions are about the largest repository. */
function* listQuestions(
  repositories: readonly KnownPaths[],
  count: number,
): Generator<{ readonly kind: string; readonly request: WhoRequest }> {
  const draw = createRandom(7);
  const upTo = (most: number) => Math.floor(draw() * most);
  for (let at = 0; at < count; at++) {
    const { name, paths } = repositories[
      draw() < 0.5 ? 0 : 1 + upTo(repositories.length - 1)
    ] as KnownPaths;
    const chosen = upTo(paths.length);
    const path = paths[chosen] ?? "";
    const folders = path.split("/").slice(0, -1);
    const kind = draw();
    if (kind < 0.03) yield { kind: "repository", request: { repository: name } };
    else if (kind < 0.4) {
      const folder = folders.slice(0, 1 + upTo(folders.length)).join("/");
      yield { kind: "folder", request: { repository: name, path: folder } };
    } else if (kind < 0.65) yield { kind: "file", request: { repository: name, path } };
    else if (kind < 0.9) {
      const isWide = kind > 0.8;
      const changed = Array.from(
        { length: isWide ? 100 : 20 },
        (_, n) => paths[(chosen + n * n) % paths.length] ?? "",
      );
      const request = { repository: name, paths: [...new Set(changed)] };
      yield { kind: isWide ? wide : "change", request };
    } else {
      const found = { package: `npm:package-${upTo(20)}`, repository: name };
      yield { kind: "package", request: found };
    }
  }
}
