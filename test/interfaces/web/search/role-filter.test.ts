/** A role named together with a language, as a link or an address that somebody typed holds it. */
import { afterAll, expect, test } from "bun:test";
import { openTestAppliance } from "../../../appliance.ts";
import { invited, readable } from "../person.ts";

const roster = await openTestAppliance();
const user = await invited(roster, "user@corp.example");
afterAll(() => roster.close());

test("its words stand as two filters, and either can be taken away", async () => {
  const { text } = await user.open("/?location=worldwide&role=golang+engineer");
  const chips = /<ul class="chips".*?<\/ul>/s.exec(text)?.[0] ?? "";
  expect(readable(chips)).toContain("Backend Developer");
  expect(readable(chips)).toContain("written in Go");
  expect(chips).toContain('href="/?location=worldwide&amp;role=backend"');
  expect(chips).toContain('href="/?location=worldwide&amp;languages=Go"');
  expect(text).toMatch(/<input[^>]*name="languages"[^>]*value="Go"/);
});

test("what means anywhere leads to everybody, and to no place that sounds alike", async () => {
  const { text } = await user.open("/?location=Remote");
  expect(readable(text)).toContain('No place is known as "Remote"');
  expect(text).toContain('href="/?location=Worldwide"');
});
