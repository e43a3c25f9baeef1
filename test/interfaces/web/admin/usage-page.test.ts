/** The page of calls: sums by account and week. */
import { afterAll, expect, test } from "bun:test";
import { openTestAppliance } from "../../../appliance.ts";
import { invited, readable } from "../person.ts";

const roster = await openTestAppliance({ now: "2026-11-15T12:00:00.000Z" });
const { key, email } = await roster.newAccount("enterprise");
for (const [day, calls] of [
  ["2026-11-15", 2],
  ["2026-11-16", 1],
  ["2026-11-22", 4],
  ["2026-11-23", 1],
] as const) {
  roster.clock.set(`${day}T12:00:00.000Z`);
  for (let call = 0; call < calls; call++) await roster.client.get("nobody", key);
}
const boss = await invited(roster, "boss@corp.example", { administrator: true });
afterAll(() => roster.close());

test("calls are added up by weeks from Monday to Sunday, and by accounts", async () => {
  const shown = readable((await boss.open("/admin/usage")).text);
  expect(shown).toContain("8 calls from 26 Aug 2026 to 23 Nov 2026.");
  expect(shown).toContain("Week from (UTC) Calls 23 Nov 2026 1 16 Nov 2026 5 9 Nov 2026 2");
  expect(shown).toContain(`Account By week Calls Share ${email} 8 100 %`);
});
