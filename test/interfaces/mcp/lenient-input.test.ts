/** What strict schemas make models send (decision 35): nothing for a field, and numbers as texts. test/contract/search.test.ts: REST takes neither. */
import { afterAll, expect, test } from "bun:test";
import { cleanData, describeData } from "../../../src/interfaces/mcp/tool-schemas.ts";
import { searchDevelopers } from "../../../src/operations/search-developers.ts";
import { openTestAppliance } from "../../appliance.ts";
import { modernCall, openRpc } from "./rpc.ts";

const appliance = await openTestAppliance();
afterAll(() => appliance.close());

const rpc = async () => openRpc(appliance.handle, (await appliance.newAccount("pro")).key);
const everyField = {
  ...{ location: "Germany", role: null, skills: null, languages: null, minExperienceYears: "5" },
  ...{ isHireable: null, strictSkills: null, maxResults: "2", offset: "1" },
};

test("null, an empty text and a whole number in a text are taken, in either protocol", async () => {
  const { body } = await appliance.client.search({
    ...{ location: "Germany", minExperienceYears: 5, maxResults: 2, offset: 1 },
  });
  expect(body.data.results.length).toBe(2);
  for (const sent of [everyField, { ...everyField, role: "", isHireable: "", skills: "" }]) {
    const modern = modernCall("search_developers", sent);
    const replies = [
      (await (await rpc()).call("search_developers", sent)).result,
      (await (await rpc()).post(modern.body, modern.headers)).body.result,
    ];
    for (const { structuredContent } of replies) {
      const { schema } = describeData(searchDevelopers, "full");
      expect(structuredContent).toMatchObject(cleanData(body.data, schema) as object);
    }
  }
});

test("a login may come by either name, the other one empty", async () => {
  for (const tool of ["get_developer", "analyze_profile"]) {
    for (const input of [
      { login: "ada-example", username: "" },
      { login: null, username: "ada-example" },
    ]) {
      expect((await (await rpc()).call(tool, input)).result.isError).toBeUndefined();
    }
  }
});

const refused: readonly (readonly [object, string])[] = [
  [{ location: null }, "location is required"],
  [{ location: "" }, "location is required"],
  [{ location: "Berlin", maxResults: "500" }, "from 1 to 100, got 500"],
  [{ location: "Berlin", maxResults: "-1" }, "from 1 to 100, got -1"],
  [{ location: "Berlin", maxResults: "five" }, 'got "five"'],
  [{ location: "Berlin", maxResults: "2.5" }, 'got "2.5"'],
  [{ location: "Berlin", maxResults: "9".repeat(400) }, 'got "999'],
  [{ location: "Berlin", skills: ["Go", null] }, "skills[1] must be"],
  [{ location: "Berlin", skills: ["Go", ""] }, "skills[1] must be"],
  [{ location: "Berlin", isHireable: "true" }, "isHireable must be true or false"],
  [{ location: "Berlin", skill: null }, 'unknown field "skill"'],
];
for (const [input, words] of refused) {
  test(`is as strict as ever with ${JSON.stringify(input).slice(0, 60)}`, async () => {
    const { result, error } = await (await rpc()).call("search_developers", input);
    expect(result?.content[0].text ?? error.message).toContain(words);
  });
}
