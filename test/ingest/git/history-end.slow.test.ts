/** How far a repository was read, as the facts of its authors tell it (decision 45), and what that costs the next push. */
import { expect, test } from "bun:test";
import { parseDayNumber } from "../../../src/ingest/git/commit/day-number.ts";
import { toHistoryEnd } from "../../../src/ingest/git/describe/describe.ts";
import { type InventedChange, inventCommit, storeHistory } from "./invented-history.ts";
import { openData } from "./opened-data.ts";

const change = (author: string, day: string): InventedChange => ({
  ...{
    author,
    day: parseDayNumber(day),
    subject: "Add the parser since it lacks",
    paths: ["a.go"],
  },
});
const ada = "Ada Example <ada@corp.example>";
const ben = "Ben Sample <ben@corp.example>";
const bot = "deploy-bot <deploy@corp.example>";
const repository = (changes: readonly InventedChange[]) => ({
  ...{ name: "tool", owner: "corp" },
  commits: changes.map((one, at) => inventCommit(one, `${at}`)),
});

test("is told to the month, and to the day once it is more than 90 days ago", () => {
  const told = (day: string) => toHistoryEnd(parseDayNumber(day), "2026-11-21");
  expect(told("2026-11-21")).toBe("2026-11-30");
  expect(told("2026-10-01")).toBe("2026-10-31");
  expect(told("2026-08-23")).toBe("2026-08-31");
  expect(told("2026-08-22")).toBe("2026-08-22");
  expect(told("2024-02-29")).toBe("2024-02-29");
});

test("is the newest commit by anybody up to as-of", async () => {
  const { ledger, ingest, person } = openData();
  const changes = [change(ada, "2024-03-01"), change(bot, "2024-10-24"), change(ben, "2026-12-24")];
  storeHistory(ledger, repository(changes));
  await ingest([]);
  expect((await person("Ada Example"))?.repositories).toMatchObject([
    { name: "corp/tool", lastCommit: "2024-03-01", historyEnd: "2024-10-24" },
  ]);
  await ingest([], { asOf: "2024-11-01" });
  expect((await person("Ada Example"))?.repositories).toMatchObject([{ historyEnd: "2024-10-31" }]);
  await ingest([], { asOf: "2026-12-31" });
  expect((await person("Ada Example"))?.repositories).toMatchObject([{ historyEnd: "2026-12-31" }]);
});

test("a push changes nobody else's facts, but the first one of a month", async () => {
  const { ledger, ingest, judged } = openData();
  const changes = [change(ada, "2026-10-01"), change(bot, "2026-10-02")];
  const push = async (...more: readonly InventedChange[]) => {
    changes.push(...more);
    storeHistory(ledger, repository(changes));
    const before = judged();
    await ingest([]);
    return judged() - before;
  };
  expect(await push()).toBe(2);
  // Ben is another author, which the facts of all tell too.
  expect(await push(change(ben, "2026-10-09"))).toBe(3);
  expect(await push(change(ben, "2026-10-30"))).toBe(1);
  expect(await push(change(ben, "2026-11-02"))).toBe(3);
  expect(await push(change(ben, "2026-11-03"))).toBe(1);
  expect(await push(change(ben, "2026-09-03"))).toBe(1);
});
