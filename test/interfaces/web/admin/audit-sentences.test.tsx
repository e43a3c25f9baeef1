/** Every action that can be in the audit log is told in a sentence, with names instead of ids. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AuditEntry, auditActions } from "../../../../src/control/account-records.ts";

import {
  type AuditNames,
  describeEntry,
  sentences,
} from "../../../../src/interfaces/web/admin/audit-sentences.tsx";
import { readable } from "../person.ts";

const names: AuditNames = {
  actor: (id) => (id === "store" ? "Roster" : "ada@example.com"),
  account: () => "ben@example.com",
  decided: (id) => (id === "dec_2" ? undefined : "Cara and Dora"),
  isUndone: (id) => id === "dec_3",
  assistant: (id) => `the assistant ${id}`,
  run: (_, title) => title,
};
const entry = (action: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ sequence: 1, at: "2026-11-21T10:00:00.000Z", actor: "acc_a", subject: "acc_b", action },
  detail: {},
  ...more,
});
const tell = (action: string, more?: Partial<AuditEntry>) =>
  readable(String(<p>{describeEntry(entry(action, more), names)}</p>)).trim();

const root = join(import.meta.dir, "../../../..");
const sources = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync({ cwd: root })]
  .filter((path) => !/account-records|audit-/.test(path))
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\n");

/** Fields that the details of entries may have. */
const detail = {
  ...{ plan: "pro", people: 3, bytes: 2e6, what: "the pool", developers: 1, rows: 12, receipts: 1 },
  ...{ backup: "2026-11-20T10:00:00Z", kind: "ingest", state: "done", purpose: "reset" },
  ...{ client: "helper", name: "Helper" },
};

describe("a sentence of the audit log", () => {
  test("is there for every action, and no action is listed that nobody records", () => {
    // The compiler compares recorded actions and sentences with the list, unless a cast hides them.
    expect(sources).not.toContain("as AuditAction");
    expect(auditActions.filter((action) => !sources.includes(`"${action}"`))).toEqual([]);
    expect(Object.keys(sentences).sort()).toEqual([...auditActions].sort());
  });

  test.each([...auditActions])("says what %s is, without its id", (action) => {
    // Sources and archives have a name as their id.
    const isNamed = /^source\.|^backup\.fetched/.test(action);
    for (const subject of isNamed ? ["corp"] : ["acc_b", "acc_a"]) {
      const words = tell(action, { subject, detail });
      expect(words).not.toContain(action);
      expect(words).not.toMatch(/undefined|NaN|null|acc_/);
      expect(words).toMatch(/^[A-Z]|^ada@example\.com(?:'s)? |^ben@example\.com /);
      expect(words.split(" ").length).toBeGreaterThan(2);
    }
  });

  test("names both, and what was done", () => {
    expect(tell("account.disabled")).toBe("ada@example.com disabled the account ben@example.com");
    expect(tell("password.changed", { subject: "acc_a" })).toBe(
      "ada@example.com changed their password",
    );
    const own = { plan: "pro", callsPerMonth: 1500, callsPerDay: -1 };
    expect(tell("plan.changed", { detail: own })).toBe(
      "ada@example.com changed the plan of ben@example.com: pro, 1,500 calls a month, unlimited calls a day",
    );
    const run = { kind: "ingest", repositories: 2, state: "done" };
    expect(tell("run.ended", { subject: "run_1", detail: run })).toBe(
      "ada@example.com's run to read git histories of 2 repositories finished",
    );
    expect(tell("sign-in.refused", { subject: "nobody" })).toBe("Sign-in refused: unknown e-mail");
  });

  test("names the two of a decision, also of an undone one, until they are erased", () => {
    for (const [action, subject, words] of [
      ["identity.split", "dec_1", "split Cara and Dora"],
      ["identity.split", "dec_2", "split two people (names erased)"],
      ["identity.merged", "dec_3", "merged Cara and Dora (since undone)"],
      ["identity.undone", "dec_3", "undid the decision about Cara and Dora"],
    ] as const) {
      expect(tell(action, { subject })).toBe(`ada@example.com ${words}`);
    }
  });

  test("of an action that another version wrote has that action", () => {
    expect(tell("moon.landed")).toBe("ada@example.com: moon.landed ben@example.com");
  });
});
