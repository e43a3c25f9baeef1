/** `--quiet`: work that is run by cron says what came of it, and nothing on the way. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openCommandLine, writePeople } from "./command-line.ts";

// Each look at this clock is seconds later, so that every step would be shown.
let seconds = 0;
const roster = openCommandLine(
  () => new Date(Date.parse("2026-11-21T12:00:00Z") + 2000 * seconds++),
);
await roster.run("account", "create", "ada@example.com", "--plan", "free", "--data", roster.folder);
const file = writePeople(roster);
afterAll(() => roster.close());

const works = (name: string): string[][] => [
  ["import", file],
  ["export", join(roster.folder, `${name}.jsonl`)],
  ["rescore"],
  ["backup", join(roster.folder, `${name}.tar.zst`)],
];

test("without it progress is a line of JSON a second, with it there is none, and the result is the same", async () => {
  const commands = works("loud").map((loud, at) => [loud, works("quiet")[at] as string[]] as const);
  for (const [loud, quiet] of commands) {
    const told = await roster.run(...loud, "--data", roster.folder);
    expect([loud[0], told.code]).toEqual([loud[0], 0]);
    if (loud[0] !== "backup") expect(told.err).toContain('{"progress":');
    const silent = await roster.run(...quiet, "--quiet", "--data", roster.folder);
    expect([quiet[0], silent.code]).toEqual([quiet[0], 0]);
    expect(silent.err).not.toContain('{"progress":');
    expect(silent.out).not.toBe("");
  }
});
