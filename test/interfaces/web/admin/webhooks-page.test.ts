/** The page of webhooks: one is added, tested and removed, and failed deliveries are sent again. */
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

test("a webhook is added, tested, retried and removed", async () => {
  const address = "https://hooks.corp.example/services/T1";
  const added = await boss.send(path, "add", { address, "run.ended": "yes" });
  const shown = readable(added.text);
  expect(shown).toContain("Copy the secret now. It is shown once.");
  expect(shown).toMatch(/whsec_[\w+/]{43}=/);
  expect(await open(path)).not.toContain("whsec_");
  const control = openSqliteControlStore(join(roster.config.data, "control.db"));
  const [{ id: webhook } = { id: "" }] = await control.deliveries.listTargets();
  const afterTest = `${path}?tested=${webhook}`;
  const tested = await boss.send(path, "test", { webhook });
  expect(readable(tested.text)).toContain("1 waiting");
  expect(readable(tested.text)).toContain("The test has not arrived yet. Refresh");
  // The page asks for news until the test has arrived.
  expect(tested.text).toContain(`hx-get="${afterTest}"`);
  const [sent = { id: "" }] = await control.deliveries.claim(webhook, now, now, 9);
  await control.deliveries.noteOutcomes(webhook, [{ id: sent.id, attempts: 1, dueMs: null }]);
  expect(await open(afterTest)).toContain("The test arrived");
  expect((await boss.open(afterTest)).text).not.toContain("hx-get");
  expect(await open(path)).not.toContain("The test");
  await boss.send(path, "test", { webhook });
  const claimed = await control.deliveries.claim(webhook, now, now, 9);
  const fault = "it answered 500";
  const failed = claimed.map(({ id }) => ({ id, attempts: 9, dueMs: null, fault }));
  await control.deliveries.noteOutcomes(webhook, failed);
  expect(await open("/admin")).toContain("1 delivery to the webhook at hooks.corp.example failed");
  expect(await open(path)).toMatch(/1 failed .*Run ended It answered 500\. Retry/);
  await boss.send(path, "retry", { webhook });
  expect(await open(path)).toContain("1 waiting");
  const removed = await boss.send(path, "remove", { webhook });
  expect(readable(removed.text)).toContain("Removed the webhook to hooks.corp.example.");
  expect(await control.deliveries.listTargets()).toEqual([]);
  await control.close();
  expect((await boss.send(path, "test", { webhook })).status).toBe(404);
  const audit = await open("/admin/audit?action=webhook");
  for (const did of ["added the webhook to", "removed the webhook to"])
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
  expect(await open(path)).toContain("There is no webhook yet.");
});
