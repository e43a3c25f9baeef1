import { describe, expect, test } from "bun:test";
import { createKey, openAccounts } from "../../src/accounts/accounts.ts";
import { Fault } from "../../src/contract/fault.ts";
import { Problem } from "../../src/contract/problem.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { misspell } from "../random.ts";

const now = () => new Date("2026-11-21T12:00:30Z");

async function open() {
  const control = openSqliteControlStore(":memory:");
  return { control, accounts: await openAccounts(control, { now }) };
}

const refusal = async (act: () => Promise<unknown>): Promise<Problem | Fault> => {
  try {
    await act();
  } catch (thrown) {
    if (thrown instanceof Problem || thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
};

describe("creating", () => {
  test("gives the account, its limits in force, and a key that opens it", async () => {
    const { accounts } = await open();
    const { account, key } = await accounts.create({ email: "Ada@Example.com", plan: "pro" });
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
    expect(await accounts.authenticate(key)).toMatchObject({ accountId: account.id, plan: "pro" });
    expect(await accounts.list()).toEqual([account]);
  });

  test.each(["admin@localhost", "a.b+c@x-y.example.com", "o'neill@example.ie"])(
    "%s is an e-mail",
    async (email) => {
      expect((await (await open()).accounts.create({ email, plan: "free" })).account.email).toBe(
        email,
      );
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
  ])("%p is no e-mail", async (email) => {
    const { accounts } = await open();
    expect((await refusal(() => accounts.create({ email, plan: "free" }))).code).toBe(
      "invalid_request",
    );
    expect(await accounts.list()).toEqual([]);
  });

  test.each([0, -1, 1.5, Number.NaN, 2 ** 60])("%p is no limit", async (callsPerMonth) => {
    const problem = await refusal(async () =>
      (await open()).accounts.create({ email: "a@b.c", plan: "pro", callsPerMonth }),
    );
    expect(problem.message).toContain("callsPerMonth must be a whole number of at least 1");
  });

  test("the program's own plan can be given to nobody", async () => {
    const { accounts } = await open();
    const problem = await refusal(() => accounts.create({ email: "a@b.c", plan: "operator" }));
    expect(problem.message).toBe('the plan must be one of free, pro, enterprise, got "operator"');
    await accounts.create({ email: "a@b.c", plan: "free" });
    expect((await refusal(() => accounts.setPlan("a@b.c", "operator", {}))).code).toBe(
      "invalid_request",
    );
    expect((await refusal(() => accounts.regenerateKey("operator"))).code).toBe("not_found");
    expect(await accounts.find("operator")).toBeUndefined();
  });

  test("a key chosen by the operator must have the form, and must never have been used", async () => {
    const { accounts } = await open();
    const key = createKey();
    expect((await accounts.create({ email: "a@b.c", plan: "enterprise", key })).key).toBe(key);
    expect(await accounts.authenticate(key)).toBeDefined();
    const wrong = await refusal(() =>
      accounts.create({ email: "b@b.c", plan: "free", key: "secret" }),
    );
    expect(wrong.message).toContain("this is not a key");
    expect(wrong.message).not.toContain("secret");
    await accounts.regenerateKey("a@b.c");
    const used = await refusal(() => accounts.create({ email: "b@b.c", plan: "free", key }));
    expect(used.message).toContain("was used before");
    expect(await accounts.list()).toHaveLength(1);
  });
});

describe("keys", () => {
  test("a text without a key's checksum never reaches the store", async () => {
    const { accounts, control } = await open();
    const asked: Uint8Array[] = [];
    const watched = await openAccounts(
      {
        ...control,
        findKeys: (digests) => {
          asked.push(...digests);
          return control.findKeys(digests);
        },
      },
      { now },
    );
    const { key } = await accounts.create({ email: "a@b.c", plan: "free" });
    for (const text of ["", "x", misspell(key), `${key} `, "rst_"]) {
      expect(await watched.authenticate(text)).toBeUndefined();
    }
    expect(asked).toHaveLength(0);
    expect(await watched.authenticate(createKey())).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  test("recovering gives the first enabled administrator a new key", async () => {
    const { accounts } = await open();
    const administrator = true;
    expect((await refusal(() => accounts.recoverKey())).code).toBe("no_administrator");
    await accounts.create({ email: "a@b.c", plan: "free" });
    await accounts.create({ email: "gone@b.c", plan: "enterprise", administrator });
    await accounts.create({ email: "admin@localhost", plan: "enterprise", administrator });
    await accounts.setDisabled("gone@b.c", true);
    const old = await accounts.regenerateKey("admin@localhost");
    const { email, key } = await accounts.recoverKey();
    expect(email).toBe("admin@localhost");
    expect(await accounts.authenticate(old)).toBeUndefined();
    expect((await accounts.authenticate(key))?.plan).toBe("enterprise");
  });
});

describe("changing", () => {
  test("each change is in the audit log, with who, whom and when, and no key", async () => {
    const { accounts, control } = await open();
    const { account, key } = await accounts.create({ email: "a@b.c", plan: "free" });
    const fresh = await accounts.regenerateKey("a@b.c");
    await accounts.setPlan("a@b.c", "pro", { callsPerDay: 9 });
    await accounts.setDisabled("a@b.c", true);
    const entries = await control.auditEntries(4);
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
    expect(await control.brokenAuditEntry()).toBeUndefined();
    const log = JSON.stringify(await control.auditEntries(100));
    for (const secret of [key, fresh]) expect(log.includes(secret.slice(8, -4))).toBe(false);
  });
});
