/** The page of calls: sums by account, week and day. */
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

test("calls are added up by weeks from Monday to Sunday, and by days", async () => {
  const shown = readable((await boss.open("/admin/usage")).text);
  expect(shown).toContain(
    [
      "Week from (UTC) Calls By account",
      `23 Nov 2026 1 ${email} 1 16 Nov 2026 5 ${email} 5 9 Nov 2026 2 ${email} 2`,
    ].join(" "),
  );
  expect(shown).toContain(`22 Nov 2026 4 ${email} 4 16 Nov 2026 1 ${email} 1 15 Nov 2026 2`);
});
