import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createKey, type NewAccount, openAccounts } from "../../src/accounts/accounts.ts";
import { Fault } from "../../src/contract/fault.ts";
import { Problem } from "../../src/contract/problem.ts";
import { openControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const now = () => new Date("2026-11-21T12:00:30Z");

function open(path = ":memory:") {
  const control = openControlStore(path);
  return { control, accounts: openAccounts(control, { now }) };
}

const refusal = (act: () => unknown): Problem | Fault => {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof Problem || thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
};

describe("creating", () => {
  test("gives the account, its limits in force, and a key that opens it", () => {
    const { accounts } = open();
    const { account, key } = accounts.create({ email: "Ada@Example.com", plan: "pro" });
    expect(account).toEqual({
      id: account.id,
      email: "Ada@Example.com",
      plan: "pro",
      administrator: false,
      disabled: false,
      limits: { callsPerMonth: 1000, callsPerDay: 2000 },
      createdAt: "2026-11-21T12:00:30.000Z",
      keyHint: `${key.slice(0, 8)}...${key.slice(-4)}`,
      keyLastUsedAt: undefined,
    });
    expect(accounts.authenticate(key)).toMatchObject({ accountId: account.id, plan: "pro" });
    expect(accounts.list()).toEqual([account]);
  });

  test("an account's own limits go before the plan's, and may be none", () => {
    const { accounts } = open();
    const limitsOf = (own: Partial<NewAccount>, email: string) =>
      accounts.create({ email, plan: "pro", ...own }).account.limits;
    expect(limitsOf({ callsPerMonth: 7 }, "a@b.c")).toEqual({
      callsPerMonth: 7,
      callsPerDay: 2000,
    });
    expect(limitsOf({ callsPerMonth: "unlimited", callsPerDay: 5 }, "b@b.c")).toEqual({
      callsPerMonth: undefined,
      callsPerDay: 5,
    });
  });

  test("an e-mail belongs to one account, however it is spelt", () => {
    const { accounts } = open();
    accounts.create({ email: "ada@example.com", plan: "free" });
    const again = refusal(() => accounts.create({ email: "ADA@example.com", plan: "free" }));
    expect([again.code, again.message]).toEqual([
      "invalid_request",
      'the e-mail "ADA@example.com" has an account already',
    ]);
    expect(accounts.find("Ada@EXAMPLE.com")?.email).toBe("ada@example.com");
    expect(accounts.list()).toHaveLength(1);
  });

  test.each(["admin@localhost", "a.b+c@x-y.example.com", "o'neill@example.ie"])(
    "%s is an e-mail",
    (email) => {
      expect(open().accounts.create({ email, plan: "free" }).account.email).toBe(email);
    },
  );

  test.each([
    "",
    "ada",
    "@example.com",
    "ada@",
    "a b@c.d",
    "a@b..c",
    "a@-b.c",
    `${"a".repeat(65)}@b.c`,
    "a@b.c\n",
  ])("%p is no e-mail", (email) => {
    const { accounts } = open();
    expect(refusal(() => accounts.create({ email, plan: "free" })).code).toBe("invalid_request");
    expect(accounts.list()).toEqual([]);
  });

  test.each([0, -1, 1.5, Number.NaN, 2 ** 60])("%p is no limit", (callsPerMonth) => {
    const problem = refusal(() =>
      open().accounts.create({ email: "a@b.c", plan: "pro", callsPerMonth }),
    );
    expect(problem.message).toContain("callsPerMonth must be a whole number of at least 1");
  });

  test("the program's own plan can be given to nobody", () => {
    const { accounts } = open();
    const problem = refusal(() => accounts.create({ email: "a@b.c", plan: "operator" }));
    expect(problem.message).toBe('the plan must be one of free, pro, enterprise, got "operator"');
    accounts.create({ email: "a@b.c", plan: "free" });
    expect(refusal(() => accounts.setPlan("a@b.c", "operator", {})).code).toBe("invalid_request");
    expect(refusal(() => accounts.regenerateKey("operator")).code).toBe("not_found");
    expect(accounts.find("operator")).toBeUndefined();
  });

  test("a key chosen by the operator must have the form, and must never have been used", () => {
    const { accounts } = open();
    const key = createKey();
    expect(accounts.create({ email: "a@b.c", plan: "enterprise", key }).key).toBe(key);
    expect(accounts.authenticate(key)).toBeDefined();
    const wrong = refusal(() => accounts.create({ email: "b@b.c", plan: "free", key: "secret" }));
    expect(wrong.message).toContain("must have the form rst_");
    expect(wrong.message).not.toContain("secret");
    accounts.regenerateKey("a@b.c");
    const used = refusal(() => accounts.create({ email: "b@b.c", plan: "free", key }));
    expect(used.message).toContain("has been in use before");
    expect(accounts.list()).toHaveLength(1);
  });
});

describe("keys", () => {
  test("regenerating kills the old key in every process, at once", () => {
    const path = join(newFolder(), "control.db");
    const [one, two] = [open(path), open(path)];
    const { account, key } = one.accounts.create({ email: "a@b.c", plan: "free" });
    expect(two.accounts.authenticate(key)).toMatchObject({ accountId: account.id });
    const fresh = two.accounts.regenerateKey("A@B.C");
    expect(one.accounts.authenticate(key)).toBeUndefined();
    expect(one.accounts.authenticate(fresh)).toMatchObject({ accountId: account.id });
    expect(one.accounts.find("a@b.c")?.keyHint).toBe(`${fresh.slice(0, 8)}...${fresh.slice(-4)}`);
  });

  test("the key of a disabled account opens nothing until it is enabled", () => {
    const { accounts } = open();
    const { key } = accounts.create({ email: "a@b.c", plan: "free" });
    expect(accounts.setDisabled("a@b.c", true).disabled).toBe(true);
    expect(accounts.authenticate(key)).toBeUndefined();
    accounts.setDisabled("a@b.c", false);
    expect(accounts.authenticate(key)).toBeDefined();
  });

  test("a text without a key's checksum never reaches the store", () => {
    const { accounts, control } = open();
    const asked: Uint8Array[] = [];
    const watched = openAccounts(
      {
        ...control,
        findKey: (digest) => {
          asked.push(digest);
          return control.findKey(digest);
        },
      },
      { now },
    );
    const { key } = accounts.create({ email: "a@b.c", plan: "free" });
    const typo = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    for (const text of ["", "x", typo, `${key} `, "rst_"]) {
      expect(watched.authenticate(text)).toBeUndefined();
    }
    expect(asked).toHaveLength(0);
    expect(watched.authenticate(createKey())).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  test("no key is found in any file of the folder", () => {
    const folder = newFolder();
    const { accounts } = open(join(folder, "control.db"));
    const keys = [accounts.create({ email: "a@b.c", plan: "free" }).key];
    keys.push(accounts.regenerateKey("a@b.c"));
    const files = readdirSync(folder);
    expect(files).toContain("control.db-wal");
    for (const file of files) {
      const bytes = readFileSync(join(folder, file));
      for (const key of keys) {
        expect(bytes.includes(key.slice(4, 47))).toBe(false);
        expect(bytes.includes(key.slice(8, -4))).toBe(false);
      }
    }
  });

  test("recovering gives the first enabled administrator a new key", () => {
    const { accounts } = open();
    const administrator = true;
    expect(refusal(() => accounts.recoverKey()).code).toBe("no_administrator");
    accounts.create({ email: "a@b.c", plan: "free" });
    accounts.create({ email: "gone@b.c", plan: "enterprise", administrator });
    accounts.create({ email: "admin@localhost", plan: "enterprise", administrator });
    accounts.setDisabled("gone@b.c", true);
    const old = accounts.regenerateKey("admin@localhost");
    const { email, key } = accounts.recoverKey();
    expect(email).toBe("admin@localhost");
    expect(accounts.authenticate(old)).toBeUndefined();
    expect(accounts.authenticate(key)?.plan).toBe("enterprise");
  });
});

describe("changing", () => {
  test("a plan takes its limits with it, unless own ones are given", () => {
    const { accounts } = open();
    accounts.create({ email: "a@b.c", plan: "free", callsPerMonth: 7 });
    expect(accounts.setPlan("a@b.c", "pro", {})).toMatchObject({
      plan: "pro",
      limits: { callsPerMonth: 1000, callsPerDay: 2000 },
    });
    expect(accounts.setPlan("a@b.c", "enterprise", { callsPerDay: "unlimited" }).limits).toEqual({
      callsPerMonth: undefined,
      callsPerDay: undefined,
    });
  });

  test("an unknown e-mail is not found, by every command", () => {
    const { accounts } = open();
    expect(accounts.find("no@b.c")).toBeUndefined();
    for (const act of [
      () => accounts.setPlan("no@b.c", "pro", {}),
      () => accounts.setDisabled("no@b.c", true),
      () => accounts.regenerateKey("no@b.c"),
    ]) {
      const problem = refusal(act);
      expect([problem.code, problem.message]).toEqual([
        "not_found",
        'no account has the e-mail "no@b.c"',
      ]);
    }
  });

  test("each change is in the audit log, with who, whom and when, and no key", () => {
    const { accounts, control } = open();
    const { account, key } = accounts.create({ email: "a@b.c", plan: "free" });
    const fresh = accounts.regenerateKey("a@b.c");
    accounts.setPlan("a@b.c", "pro", { callsPerDay: 9 });
    accounts.setDisabled("a@b.c", true);
    const entries = control.auditEntries(4);
    expect(entries.map(({ action }) => action)).toEqual([
      "account.disabled",
      "plan.changed",
      "key.regenerated",
      "account.created",
    ]);
    expect(entries[1]).toEqual({
      sequence: entries[1]?.sequence as number,
      at: "2026-11-21T12:00:30.000Z",
      actor: "operator",
      action: "plan.changed",
      subject: account.id,
      detail: { plan: "pro", callsPerMonth: null, callsPerDay: 9 },
    });
    expect(control.brokenAuditEntry()).toBeUndefined();
    const log = JSON.stringify(control.auditEntries(100));
    for (const secret of [key, fresh]) expect(log.includes(secret.slice(8, -4))).toBe(false);
  });
});
