import { expect, test } from "bun:test";
import { join } from "node:path";
import { openQuotaFixture } from "../control/quota-fixture.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const limit = 6000;

interface Report {
  readonly used: readonly number[];
  readonly ends: readonly string[];
}

function startChild(...argv: readonly [path: string, key: string, instant: string]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "charging-child.ts"), ...argv], {
    stdin: "pipe",
    stdout: "pipe",
  });
  const reader = child.stdout.getReader();
  const readText = async () => {
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += new TextDecoder().decode(part.value);
    }
    return text;
  };
  const ready = reader.read();
  return {
    ready,
    go: () => child.stdin.end(),
    report: ready.then(readText).then((text): Report => JSON.parse(text)),
  };
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
  const reports = await Promise.all(children.map(({ report }) => report));
  for (const { ends } of reports) expect(ends).toEqual(["quota_exceeded"]);
  // All of them took part, or nothing was tried.
  expect(reports.filter((report) => report.used.length === 0)).toEqual([]);
  const used = reports.flatMap(({ used }) => used).sort((a, b) => a - b);
  expect(used).toEqual(Array.from({ length: limit }, (_, index) => index + 1));
  const credential = { kind: "key", id: "none" } as const;
  const caller = { accountId: account.id, plan: account.plan, credential, requestId: "req_1" };
  expect((await fixture.quota.usage(caller)).quota.used).toBe(limit);
});
