/**
 * Runs one engine in a process of its own, so that its memory can be measured: `worker.ts ENGINE`, with its place in
 * PLACE. The order "build" builds the engine; any other order is a batch of queries to answer. It ends when it is
 * disconnected.
 */
import type { SearchQuery } from "../../../src/search/search-index.ts";
import { readMemory } from "../processes.ts";
import { blocks } from "./blocks.ts";
import { citus } from "./citus.ts";
import type { Answer, Engine, EngineKind, EnginePlace } from "./engine.ts";
import { gin } from "./gin.ts";
import { memory } from "./memory.ts";

const kinds: Readonly<Record<string, EngineKind>> = { memory, blocks, gin, citus };

export type Order = "build" | readonly SearchQuery[];

export interface Built {
  readonly seconds: number;
  readonly bytes: number;
  /** Peak memory of this process, without that of a database server. */
  readonly peakMb: number;
}

export interface Asked {
  readonly answers: readonly Answer[];
  /** Of each answer. */
  readonly ms: readonly number[];
  readonly peakMb: number;
}

export type Report =
  | { readonly built: Built }
  | { readonly asked: Asked }
  | { readonly fault: string };

if (import.meta.main) {
  const kind = kinds[process.argv[2] ?? ""] as EngineKind;
  const place = JSON.parse(process.env["PLACE"] ?? "") as EnginePlace;
  const tell = (report: Report) => process.send?.(report);
  let engine: Engine | undefined;
  process.on("message", async (order: Order) => {
    try {
      if (order === "build") {
        tell({ built: await build(kind, place) });
      } else {
        engine ??= await kind.open(place);
        tell({ asked: await ask(engine, order) });
      }
    } catch (error) {
      tell({ fault: Bun.inspect(error) });
    }
  });
  process.on("disconnect", async () => {
    await engine?.close();
    process.exit();
  });
}

async function build(kind: EngineKind, place: EnginePlace): Promise<Built> {
  const startedAt = performance.now();
  const bytes = await kind.build(place);
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, bytes, peakMb: readMemory(process.pid).peakMb };
}

let asked = 0;

/** No question is asked twice, because a cached answer is not what is measured. */
function makeUnlike(query: SearchQuery): SearchQuery {
  const unlike = { ...query, asked: asked++ };
  return unlike;
}

async function ask(engine: Engine, queries: readonly SearchQuery[]): Promise<Asked> {
  const answers: Answer[] = [];
  const ms: number[] = [];
  for (const query of queries) {
    const startedAt = performance.now();
    answers.push(await engine.find(makeUnlike(query)));
    ms.push(performance.now() - startedAt);
  }
  return { answers, ms, peakMb: readMemory(process.pid).peakMb };
}
