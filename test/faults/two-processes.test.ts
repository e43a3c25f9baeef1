import { expect, test } from "bun:test";
import { join } from "node:path";
import { followLines } from "../child-output.ts";
import { openQuotaFixture } from "../control/quota-fixture.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const limit = 6000;

function startChild(...argv: readonly [path: string, key: string, instant: string]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "charging-child.ts"), ...argv], {
    stdin: "pipe",
    stdout: "pipe",
  });
  const [ready, lines] = [Promise.withResolvers<void>(), [] as string[]];
  const ended = followLines(child.stdout, (line) => {
    if (line === "ready") ready.resolve();
    else lines.push(line);
  });
  return { ready: ready.promise, go: () => child.stdin.end(), lines: ended.then(() => lines) };
}

test("three processes on one file allow exactly the limit, and no used is given twice", async () => {
  const path = join(newFolder(), "control.db");
  const instant = "2026-11-21T12:00:00Z";
  const fixture = await openQuotaFixture({ path, instant });
  const { account, key } = await fixture.accounts.create({
    ...{ email: "ada@example.com", plan: "pro" },
    ...{ callsPerMonth: limit, callsPerDay: "unlimited" },
  });
  const children = Array.from({ length: 3 }, () => startChild(path, key, instant));
  await Promise.all(children.map(({ ready }) => ready));
  for (const { go } of children) go();
  const all = await Promise.all(children.map(({ lines }) => lines));
  const isRefusal = (line: string) => line === "quota_exceeded";
  for (const lines of all) {
    expect(lines.filter(isRefusal)).toHaveLength(8);
    // All of them took part, or nothing was tried.
    expect(lines.length).toBeGreaterThan(8);
  }
  const used = all.flat().filter((line) => !isRefusal(line));
  expect(used.map(Number).sort((a, b) => a - b)).toEqual(
    Array.from({ length: limit }, (_, index) => index + 1),
  );
  expect((await fixture.quota.usage({ accountId: account.id })).quota.used).toBe(limit);
});
