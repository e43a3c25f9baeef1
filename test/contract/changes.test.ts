/** GET /v1/changes: what changed since an earlier answer, for copies elsewhere. */
import { afterAll, describe, expect, test } from "bun:test";
import { openTestAppliance } from "../appliance.ts";
import { person } from "../pool/person.ts";

const appliance = await openTestAppliance();
afterAll(() => appliance.close());

const made = { email: "boss@example.com", plan: "enterprise", administrator: true } as const;
const administrator = await appliance.modules.accounts.create(made);
const program = await appliance.newAccount("pro");

async function ask(query: string, { key }: { readonly key: string } = program) {
  const { status, body } = await appliance.client.ask({ path: `/v1/changes${query}`, key });
  return { status, body, data: body.data };
}

async function bring(logins: readonly string[], gone: readonly string[] = []) {
  const load = await appliance.modules.pool.beginImport("test");
  await load.put(logins.map((login) => person({ login, emails: [`${login}@example.com`] })));
  await load.remove(gone);
  await load.commit();
}

describe("GET /v1/changes", () => {
  test("200 with everybody by pages, then with what changed, each answer for one call", async () => {
    const account = await appliance.newAccount("pro");
    const [first, second] = [await ask("?limit=2", account), await ask("", account)];
    expect(first.data).toMatchObject({ hasMore: true, next: expect.any(String) });
    expect(first.data.changes).toHaveLength(2);
    expect(second.data.changes).toHaveLength(await appliance.modules.pool.size());
    await bring(["someone-new"]);
    const { status, body } = await ask(`?since=${second.data.next}`, account);
    expect([status, body.data]).toEqual([
      200,
      {
        changes: [{ login: "someone-new", change: "new" }],
        hasMore: false,
        next: expect.any(String),
      },
    ]);
    expect(body.meta.quota.used).toBe(3);
  });

  test("200 with an erased login for administrators, and startAnew for everybody else", async () => {
    await bring(["someone-erased", "someone-gone"]);
    const since = `?since=${(await ask("")).data.next}`;
    await bring([], ["someone-gone"]);
    await appliance.modules.pool.erasing.hide("someone-erased");
    expect((await ask(since, administrator)).data.changes).toEqual([
      { login: "someone-gone", change: "removed" },
      { login: "someone-erased", change: "erased" },
    ]);
    const told = await ask(since);
    expect(told.data).toEqual({ changes: [], hasMore: false, startAnew: "erased" });
    expect(JSON.stringify(told.body)).not.toContain("someone");
  });

  test("400 for a since of one's own and a limit out of range, 401 without a key", async () => {
    const since = await ask("?since=12");
    expect([since.status, since.body.error.message]).toEqual([
      400,
      expect.stringContaining("since must be the `next` of an earlier answer"),
    ]);
    for (const query of ["?limit=0", "?limit=1001", "?since=", "?from=1"])
      expect((await ask(query)).status).toBe(400);
    expect((await appliance.client.ask({ path: "/v1/changes" })).status).toBe(401);
  });
});
