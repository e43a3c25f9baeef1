/** Every field that a source may state of a person is shown wherever people are shown, or is named here as left out. */
import { afterAll, expect, test } from "bun:test";
import { Profile } from "../../src/contract/people/facts.ts";
import { openTestAppliance } from "../appliance.ts";
import { openRpc } from "../interfaces/mcp/rpc.ts";
import { invited } from "../interfaces/web/person.ts";
import { inventedPeople } from "../invented-people.ts";

const fields = Object.keys(Profile.properties);

/** A value that nothing else on a page has, by the type of the field. */
function invent(field: string): unknown {
  const { type, pattern } = Profile.properties[field as keyof typeof Profile.properties];
  if (type === "boolean") return true;
  if (type === "integer") return 8_675_309;
  if (pattern) return `20${10 + fields.indexOf(field)}-03-04T05:06:07Z`;
  if (field === "location") return "Zagreb, Croatia";
  return /url|blog/i.test(field) ? `https://${field}.example/page` : `some ${field} text`;
}

const profile = Object.fromEntries(fields.map((field) => [field, invent(field)]));

/** What each field reads as, wherever it is shown. */
function expected(field: string): string {
  if (field === "hireable") return "hireable Yes";
  return String(profile[field]).replace(/^https:\/\//, "");
}

let key: string;

const [ada] = inventedPeople;
if (!ada) throw new Error("nobody is invented");
const roster = await openTestAppliance({ people: [{ ...ada, login: "zoe", profile }] });
const user = await invited(roster, "user@corp.example");
({ key } = await roster.newAccount("enterprise"));
afterAll(() => roster.close());

const missingIn = (text: string) => fields.filter((field) => !text.includes(expected(field)));

test("the text for models shows every field, but for a picture and the day of a change", async () => {
  const { call } = openRpc(roster.handle, key);
  const { result } = await call("get_developer", { login: "zoe" });
  expect(missingIn(result.content[0].text)).toEqual(["avatarUrl", "updatedAt"]);
});

test("the page of a developer shows every field, but for those that say little of the work", async () => {
  const { text } = await user.open("/developers/zoe");
  expect(missingIn(text)).toEqual([
    ...["socialUsername", "avatarUrl", "hireable", "followers", "createdAt", "updatedAt"],
  ]);
});

test("the CSV file of a search has a column for each field that tells people apart", async () => {
  const { text } = await user.open("/search/people.csv?location=Zagreb");
  expect(missingIn(text)).toEqual([
    ...["bio", "blog", "socialUsername", "avatarUrl"],
    ...["hireable", "createdAt", "updatedAt"],
  ]);
  const [headings = "", ...rows] = text.trim().split("\r\n");
  expect(headings).toBe(
    "login,name,location,company,score,experience and breadth,tech stack,activity,years,last active,matching,e-mail,followers,profile page",
  );
  expect(rows).toHaveLength(1);
});
