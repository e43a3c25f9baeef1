import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { truthOfAgents } from "../../scripts/measure/truth/agents.ts";
import { agents } from "../../src/ingest/git/credit/agents.ts";
import { ada, inventRepository } from "../ingest/git/invented-repository.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder("git");

describe("the truth of agents", () => {
  test("finds the commits of branches that are named for one, by their merges", async () => {
    const trailer = "Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>";
    const path = inventRepository(join(folder, "tool.git"), [
      { author: ada, at: "2026-03-01" },
      { author: ada, at: "2026-03-02", message: `Fix it\n\n${trailer}\n` },
      { author: ada, at: "2026-03-03", message: "Fix it again" },
      {
        ...{ author: ada, at: "2026-03-04", parents: [0, 2] },
        message: "Merge pull request #1 from example/copilot/fix-it",
      },
      {
        ...{ author: ada, at: "2026-03-05", parents: [3, 0] },
        message: "Merge branch 'claudette/fix' into main",
      },
    ]);
    const { rows, misses } = await truthOfAgents([path]);
    const recall = rows.filter(({ name }) => name.startsWith("agents.recall"));
    expect(recall.map(({ name, value }) => [name, value])).toEqual([
      ["agents.recall (2)", 0.5],
      ["agents.recall.copilot (2)", 0.5],
    ]);
    expect(misses).toHaveLength(1);
  });

  test("names no person, and judges only agents that the list has", () => {
    const file = join(import.meta.dir, "../../scripts/measure/judged-agents.tsv");
    const known = new Set(agents.map(({ id }) => id));
    const [, ...rows] = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line && !line.startsWith("#"));
    expect(rows.length).toBeGreaterThan(400);
    for (const row of rows) {
      expect(row).toMatch(
        /^[\w.-]+\/[\w.-]+\t[0-9a-f]{40}\t[\w-]+\t(marks|names|prose)\t(yes|no)$/,
      );
      expect(known.has(row.split("\t")[2] ?? "")).toBe(true);
    }
  });
});
