/** Paths completed and corrected without reading the whole list of them, against plain loops over all of it. */
import { describe, expect, test } from "bun:test";
import { findNearPath, suggestPaths } from "../../src/knowledge/walk-paths.ts";
import type { AuthorshipHead, PathBlock } from "../../src/pool/pool.ts";
import { createRandom, drawSeed } from "../random.ts";

/** @param perBlock paths of one block. @param gone of these no tree has any. */
function store(all: readonly string[], perBlock: number, gone: ReadonlySet<string> = new Set()) {
  const paths = [...all].sort();
  const blocks: PathBlock[] = [];
  for (let at = 0; at < paths.length; at += perBlock) {
    const some = paths.slice(at, at + perBlock);
    blocks.push({
      paths: some,
      flags: Uint8Array.from(some, (path) => (gone.has(path) ? 0 : 1)),
      starts: new Uint32Array(some.length + 1),
      ...{ commit: new Uint32Array(0), added: new Uint16Array(0), deleted: new Uint16Array(0) },
    });
  }
  const head = {
    blocks: blocks.map(({ paths }, at) => ({ first: paths[0] ?? "", number: at * perBlock })),
  } as unknown as AuthorshipHead;
  let reads = 0;
  const read = async (from: number, to: number) => {
    reads += to - from + 1;
    return blocks.slice(from, to + 1);
  };
  return { paths: { head, read }, reads: () => reads };
}

const written = (found: Awaited<ReturnType<typeof suggestPaths>>) =>
  found.map(({ path, isFolder }) => (isFolder ? `${path}/` : path));

/** What begins so, up to the next stroke, each once, by code unit. */
function plainly(all: readonly string[], start: string): readonly string[] {
  const nameAt = start.lastIndexOf("/") + 1;
  const names = all
    .filter((path) => path.startsWith(start))
    .map((path) => {
      const stroke = path.indexOf("/", nameAt);
      return stroke < 0 ? path : path.slice(0, stroke + 1);
    });
  return [...new Set(names)].sort();
}

describe("a path that is typed", () => {
  test("is completed as a plain loop over all paths does it, whatever they are called", async () => {
    const draw = createRandom(drawSeed("paths"));
    const names = ["a", "ab", "b-", "b.c", "B", "ü", "日本", "שלום", "a0", "z z", "😀"];
    for (let round = 0; round < 40; round++) {
      const all = new Set<string>();
      while (all.size < 60) {
        const depth = 1 + Math.floor(draw() * 4);
        const parts = Array.from({ length: depth }, () => names[Math.floor(draw() * names.length)]);
        all.add(parts.join("/"));
      }
      const gone = new Set([...all].filter(() => draw() < 0.3));
      const there = [...all].filter((path) => !gone.has(path));
      const { paths } = store([...all], 1 + Math.floor(draw() * 9), gone);
      const starts = ["a", "b", "a/", "ab/b", "日", "日本/ש", "a/a/", "B/", "z"];
      for (const start of starts) {
        const found = written(await suggestPaths(paths, start, 1000));
        const begun = plainly(there, start).map((path) => path.replace(/\/$/, ""));
        const same = found.map((path) => path.replace(/\/$/, "")).slice(0, new Set(begun).size);
        expect([start, same.sort()]).toEqual([start, [...new Set(begun)].sort()]);
      }
    }
  });

  test("begins best; another case and the middle of a name follow, in the same folder", async () => {
    const all = ["lib/Agent.ts", "lib/agent/pool.ts", "lib/my-agent.ts", "agent.ts"];
    const { paths } = store(all, 2);
    expect(written(await suggestPaths(paths, "lib/agent", 10))).toEqual([
      ...["lib/agent/", "lib/Agent.ts", "lib/my-agent.ts"],
    ]);
    expect(written(await suggestPaths(paths, "./lib/", 2))).toEqual(["lib/Agent.ts", "lib/agent/"]);
    expect(written(await suggestPaths(paths, "nowhere/at/all", 10))).toEqual([]);
  });

  test("among 400,000 files reads a handful of blocks, and names ten", async () => {
    const all = Array.from({ length: 400_000 }, (_, at) => {
      const [top, second] = [at % 40, Math.floor(at / 40) % 100];
      return `part-${top}/area-${second}/file-${at}.c`;
    });
    const { paths, reads } = store(all, 4096);
    for (const [text, blocksMax] of [
      ["part-1", 12],
      ["part-17/area-4", 12],
      ["part-17/area-42/file-", 4],
      ["part-17/AREA-42", 10],
    ] as const) {
      const before = reads();
      const found = await suggestPaths(paths, text, 10);
      expect([text, found.length, reads() - before <= blocksMax]).toEqual([
        ...[text, text.includes("AREA") ? 1 : 10, true],
      ]);
    }
  });

  test("in a folder from which everything was removed finds nothing and reads no more than its bound", async () => {
    const all = Array.from({ length: 10_000 }, (_, at) => `old/file-${at}`);
    const { paths, reads } = store([...all, "new/file"], 10, new Set(all));
    expect(await suggestPaths(paths, "old/", 10)).toEqual([]);
    expect(reads()).toBe(64);
  });
});

test("a path that nothing has leads to what is nearly called so, as far as it goes", async () => {
  const all = ["services/payments/ledger.ts", "services/orders/api.ts", "README.md"];
  const { paths } = store(all, 2);
  const near = (path: string) => findNearPath(paths, path);
  expect(await near("servces/paymnets/ledgr.ts")).toEqual({
    ...{ path: "services/payments/ledger.ts", isWhole: true },
  });
  expect(await near("services/payments/nothing-like-it.java")).toEqual({
    ...{ path: "services/payments", isWhole: false },
  });
  // The beginning of a name stands for it, in any case.
  expect(await near("services/Pay/led")).toEqual({
    ...{ path: "services/payments/ledger.ts", isWhole: true },
  });
  expect(await near("services/pa")).toEqual({ path: "services", isWhole: false });
  expect(await near("elsewhere")).toEqual({ path: "", isWhole: false });
});
