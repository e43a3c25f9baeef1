/** Filters of the search as its page shows, completes and names them. */
import { afterAll, expect, test } from "bun:test";
import { readFilters } from "../../../../src/interfaces/web/search/search-query.ts";
import { formatSearchName } from "../../../../src/interfaces/web/search/suggested-searches.ts";
import { openTestAppliance } from "../../../appliance.ts";
import { invited, readable } from "../person.ts";

const roster = await openTestAppliance();
const user = await invited(roster, "user@corp.example");
afterAll(() => roster.close());

test("a role and a language in one word stand as two filters, and either can be taken away", async () => {
  const { text } = await user.open("/?location=worldwide&role=golang+engineer");
  expect(text).toContain('<option value="backend" selected>Backend Developer</option>');
  const chips = /<ul class="chips".*?<\/ul>/s.exec(text)?.[0] ?? "";
  expect(chips).toContain('href="/?location=worldwide&amp;role=backend" aria-label="Remove Go"');
  // A language of the form stays, and those in the words of the role are left out.
  const { text: stated } = await user.open("/?role=golang+engineer&languages=Rust");
  expect(stated).toContain('type="hidden" name="languages" value="Rust"');
  expect(stated).not.toContain('name="languages" value="Go"');
  expect(text).toMatch(/<input[^>]*name="languages"[^>]*value="Go"/);
});

test("a place that means anywhere leads to everybody, and to no place that sounds alike", async () => {
  const { text } = await user.open("/?location=Remote");
  expect(readable(text)).toContain('We do not know the place "Remote"');
  expect(text).toContain('href="/?location=Worldwide"');
});

test("a repository finds who has work in it, and is a filter that can be taken away", async () => {
  const page = await user.open("/?repositories=ada-example/workbench");
  const words = readable(page.text);
  expect(words).toContain("1 person");
  expect(words).toContain("worked in ada-example/workbench");
  expect(words).toContain("--repositories ada-example/workbench");
  expect(page.text).toContain('data-completes="repositories"');
  // The folded filters are open where one is set.
  expect(page.text).toMatch(/<details class="more" open/);
});

test("a repository that nobody has worked in is named, with similar ones in its place", async () => {
  const page = await user.open("/?location=worldwide&repositories=ada-exampel/workbench");
  expect(readable(page.text)).toContain(
    "No one here worked in ada-exampel/workbench. Did you mean ada-example/workbench",
  );
  expect(page.text).toContain(
    'href="/?location=worldwide&amp;repositories=ada-example%2Fworkbench"',
  );
});

test("the name of a repository is completed as it is typed", async () => {
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

test("the order is chosen beside the count, and a new search keeps it", async () => {
  const { text } = await user.open("/?location=worldwide&sort=experience&page=1");
  const head =
    /<div class="results-head">.*?<div class="actions">.*?<\/details>/s.exec(text)?.[0] ?? "";
  expect(readable(head)).toMatch(/ Sort: Experience Match Activity Followers Experience $/);
  expect(head).toContain('href="/?location=worldwide"');
  expect(head).toContain('href="/?location=worldwide&amp;sort=followers"');
  expect(text).toContain('<input type="hidden" name="sort" value="experience"/>');
  const refused = await user.open("/?location=worldwide&sort=shoe+size");
  expect(refused.text).not.toContain('name="sort"');
});

test("a search is called by what it asks for", () => {
  const names = { place: undefined, role: undefined, named: (asked: string) => asked };
  for (const [query, name] of [
    ["location=Berlin&role=backend", "Backend in Berlin"],
    ["location=Berlin,+Germany", "People in Berlin"],
    ["location=worldwide&skills=Go,Rust", "Go or Rust worldwide"],
    ["skills=Go,Rust&strict=yes&years=5", "Go and Rust, 5 years or more"],
    ["repositories=acme/shop", "Worked in acme/shop"],
    ["since=2026-10-01&hireable=yes", "Active since 2026-10-01, open to work"],
  ] as const)
    expect(formatSearchName(readFilters(new URLSearchParams(query)), names)).toBe(name);
});

const titleOf = async (path: string) =>
  /<title>(.*?)<\/title>/.exec((await user.open(path)).text)?.[1];

test("titles say what the page shows, in the words that were understood", async () => {
  expect(await titleOf("/")).toBe("Search - Roster");
  expect(await titleOf("/?location=berlin&role=backend&skills=golang")).toBe(
    "Backend Developer, Go in Berlin - Roster",
  );
  expect(await titleOf("/compare?login=ada-example&login=Ben-Sample")).toMatch(
    /^Ada Example, .+ compared - Roster$/,
  );
  expect(await titleOf("/compare?login=")).toBe("Compare - Roster");
  expect(await titleOf("/who")).toBe("Who knows - Roster");
  expect(await titleOf("/who?repository=nothing/here")).toBe("Who knows nothing/here - Roster");
});
