import { afterAll, expect, test } from "bun:test";
import { formatSearchName } from "../../../../src/interfaces/web/search/search-name.ts";
import { readFilters } from "../../../../src/interfaces/web/search/search-query.ts";
import { openTestAppliance } from "../../../appliance.ts";
import { invited } from "../person.ts";

const roster = await openTestAppliance();
const user = await invited(roster, "user@corp.example");
afterAll(() => roster.close());

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
