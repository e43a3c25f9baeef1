/** The pages of webhooks: one is added, tested, turned off and removed, and failed deliveries are sent again. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openSqliteControlStore } from "../../../../src/control/sqlite/sqlite-control-store.ts";
import { openTestAppliance } from "../../../appliance.ts";
import { invited, readable } from "../person.ts";

const now = new Date();
const roster = await openTestAppliance({ folder: true, people: [], now: now.toISOString() });
const boss = await invited(roster, "boss@corp.example", { administrator: true });
afterAll(() => roster.close());

const path = "/admin/webhooks";
const open = async (at: string) => readable((await boss.open(at)).text);

test("a webhook is added, tested, turned off, retried and removed", async () => {
  const address = "https://hooks.corp.example/services/T1";
  const added = await boss.send(path, "add", { address, "run.ended": "yes" });
  expect(added.at).toMatch(/^\/admin\/webhooks\/wh_/);
  const shown = readable(added.text);
  expect(shown).toContain("Copy the secret now. It is shown once.");
  expect(shown).toMatch(/whsec_[\w+/]{43}=/);
  expect(await open(added.at)).not.toContain("whsec_");
  const tested = await boss.send(added.at, "test");
  expect(readable(tested.text)).toContain("A test is on its way.");
  const control = openSqliteControlStore(join(roster.config.data, "control.db"));
  const id = added.at.slice(path.length + 1);
  const claimed = await control.deliveries.claim(id, now, now, 9);
  const failed = claimed.map((one) => ({ id: one.id, fault: "it answered 500" }));
  await control.deliveries.noteOutcomes(id, failed, now);
  expect(await open("/admin")).toContain("1 delivery to the webhook at hooks.corp.example failed");
  expect(await open(added.at)).toMatch(/Test failed .*It answered 500\. Retry/);
  await boss.send(added.at, "retry", { delivery: claimed[0]?.id ?? "" });
  expect(await open(added.at)).toContain("Test waiting");
  await boss.send(added.at, "turn-off");
  expect(await open(path)).toMatch(/hooks\.corp\.example off .*Run ended/);
  await boss.send(added.at, "turn-on");
  const removed = await boss.send(added.at, "remove");
  expect(readable(removed.text)).toContain("Removed the webhook to hooks.corp.example.");
  expect(await control.deliveries.list(9)).toEqual([]);
  await control.close();
  expect((await boss.open(added.at)).status).toBe(404);
  const audit = await open("/admin/audit?action=webhook");
  for (const did of ["added the webhook to", "tested the webhook to", "removed the webhook to"])
    expect(audit).toContain(`boss@corp.example ${did} hooks.corp.example`);
});

test("a page adds no address on this machine, and none without an event", async () => {
  const events = { "run.ended": "yes" };
  const refuse = async (fields: Record<string, string>) =>
    readable((await boss.send(path, "add", fields)).text);
  expect(await refuse({ address: "http://127.0.0.1:9/", ...events })).toContain(
    "The address is on this machine or its link: only roster webhook add --allow-local adds it.",
  );
  expect(await refuse({ address: "https://hooks.example.com/" })).toContain("at least one event");
  expect(await open(path)).not.toContain("Your webhooks");
});
