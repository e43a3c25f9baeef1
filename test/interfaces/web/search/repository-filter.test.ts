/** Who worked in a repository, as somebody asks on the page of the search. */
import { afterAll, expect, test } from "bun:test";
import { openTestAppliance } from "../../../appliance.ts";
import { invited, readable } from "../person.ts";

const roster = await openTestAppliance();
const user = await invited(roster, "user@corp.example");
afterAll(() => roster.close());

test("a repository finds who has work in it, and is a filter that can be taken away", async () => {
  const page = await user.open("/?repositories=ada-example/workbench");
  const words = readable(page.text);
  expect(words).toContain("1 person");
  expect(words).toContain("worked in ada-example/workbench");
  expect(words).toContain("--repositories ada-example/workbench");
  expect(page.text).toContain('data-completes="repositories"');
  // The field is on show where it has a say.
  expect(page.text).toMatch(/<details class="more" open/);
});

test("one that nobody has worked in is named, with similar ones in its place", async () => {
  const page = await user.open("/?location=worldwide&repositories=ada-exampel/workbench");
  expect(readable(page.text)).toContain(
    "ada-exampel/workbench : no one here has worked in a repository of this name; perhaps",
  );
  expect(page.text).toContain(
    'href="/?location=worldwide&amp;repositories=ada-example%2Fworkbench"',
  );
});

test("its name is completed as it is typed", async () => {
  const { text } = await user.open("/search/terms?field=repositories&q=ada-ex");
  expect(JSON.parse(text)).toEqual({ terms: [{ name: "ada-example/workbench", people: 1 }] });
});

test("a skill or language of a near name is offered in place of the misspelt one", async () => {
  const { text } = await user.open("/?location=worldwide&skills=Kuberntes,Go&languages=Ruts");
  expect(text).toContain(
    'href="/?location=worldwide&amp;skills=Kubernetes%2C+Go&amp;languages=Ruts"',
  );
  expect(text).toContain(
    'href="/?location=worldwide&amp;skills=Kuberntes%2C+Go&amp;languages=Rust"',
  );
});
