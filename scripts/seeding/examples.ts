/**
 * Makes seed/examples.json: what each operation's example finds among the demo people, which the OpenAPI document shows.
 *
 *   scripts/seed examples [OUTPUT]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoAsOf } from "../../src/ingest/ingest.ts";
import { operations } from "../../src/operations/index.ts";
import { startServer } from "../fuzzing/program.ts";

/** Answers that depend on the account, the day or what came before. */
const writtenAnswers: Readonly<Record<string, object>> = {
  get_usage: {
    plan: "pro",
    month: { used: 12, limit: 1000, resetsAt: "2026-12-01T00:00:00.000Z" },
    day: { used: 3, limit: 2000, resetsAt: "2026-11-22T00:00:00.000Z" },
  },
  get_changes: {
    changes: [
      { login: "ada-example", change: "changed" },
      { login: "ben-example", change: "renamed", formerLogin: "ben-sample" },
      { login: "cid-example", change: "removed" },
    ],
    hasMore: true,
    next: "7-1795262400000-0-0-5120-5127-3",
  },
};

const folder = mkdtempSync(join(tmpdir(), "roster-examples-"));
try {
  const server = await startServer(folder);
  const entries = [];
  for (const { name, command, input, example } of operations) {
    if (writtenAnswers[name]) {
      entries.push([name, writtenAnswers[name]]);
      continue;
    }
    // An answer that depends on the day is computed as of the day of the demo.
    const asOf = "asOf" in input.properties ? { asOf: demoAsOf } : {};
    const flags = Object.entries({ ...example, ...asOf }).map(([field, value]) => {
      const flag = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return `--${flag}=${Array.isArray(value) ? value.join(",") : value}`;
    });
    const { data } = await server.command(command, ...flags);
    entries.push([name, data]);
  }
  await server.stop();
  const [output = join(import.meta.dir, "../../seed/examples.json")] = process.argv.slice(2);
  await Bun.write(output, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
