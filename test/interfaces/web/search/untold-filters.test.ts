/** What the page of the search says where people are told too little for a filter. */
import { afterAll, expect, test } from "bun:test";
import { openTestAppliance } from "../../../appliance.ts";
import { inventedPeople } from "../../../invented-people.ts";
import { invited, readable } from "../person.ts";

const people = inventedPeople.map(({ profile: { location: _, ...profile }, ...facts }) => ({
  ...facts,
  profile,
}));
const roster = await openTestAppliance({ people });
const user = await invited(roster, "user@corp.example");
afterAll(() => roster.close());

for (const location of ["Germany", "Berlin"]) {
  test(`says that nobody has a place when ${location} finds nobody`, async () => {
    const { text } = await user.open(`/?location=${location}`);
    expect(readable(text)).toContain(
      "Nobody in this pool has a known place: git history does not tell it",
    );
  });
}

test("says nothing of it where somebody is found", async () => {
  const { text } = await user.open("/?location=worldwide");
  expect(readable(text)).not.toContain("known place");
});
