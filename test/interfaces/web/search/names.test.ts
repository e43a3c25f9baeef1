/** Names of people completed in the header: for whom, how many, and what it costs. */
import { afterAll, describe, expect, test } from "bun:test";
import type { Facts } from "../../../../src/contract/people/facts.ts";
import { openTestAppliance } from "../../../appliance.ts";
import { inventedPeople } from "../../../invented-people.ts";
import { countCalls, invited, openPerson } from "../person.ts";

const someone = inventedPeople[0] as Facts;
const crowd = Array.from({ length: 30 }, (_, at) => ({
  ...someone,
  login: `marta-${at}`,
  profile: { name: `Marta Namesake ${at}`, location: "Berlin, Germany" },
  emails: [{ address: `marta${at}@example.com`, sources: ["profile"], published: true }],
}));
const robot = { ...someone, login: "marta-bot", class: "bot" as const, profile: { name: "Marta" } };
const lookupsPerMinute = 20;
const roster = await openTestAppliance({
  people: [...inventedPeople, ...crowd, robot],
  config: { quota: { countInvalid: false, trialDays: undefined, lookupsPerMinute } },
});
const user = await invited(roster, "user@corp.example");
afterAll(() => roster.close());

interface Term {
  readonly name: string;
  readonly login: string;
  readonly about: string;
}

async function complete(q: string): Promise<readonly Term[]> {
  const { text } = await user.open(`/find/names?${new URLSearchParams({ q })}`);
  return (JSON.parse(text) as { terms: Term[] }).terms;
}

const count = () => countCalls(roster, "user@corp.example");

describe("completion of names", () => {
  test("tells nothing to who is signed out", async () => {
    const page = await openPerson(roster).ask("/find/names?q=marta");
    expect([page.status, page.text]).toEqual([303, ""]);
    expect(page.headers.get("location")).toStartWith("/sign-in?");
  });

  test("answers three letters or more, with ten people at most, who are human, and no e-mail", async () => {
    expect(await complete("ma")).toEqual([]);
    expect(await complete("  m  ")).toEqual([]);
    const found = await complete("mar");
    expect(found.length).toBe(10);
    expect(found.every(({ login }) => /^marta-\d+$/.test(login))).toBe(true);
    expect(Object.keys(found[0] ?? {}).sort()).toEqual(["about", "login", "name"]);
    expect(JSON.stringify(found)).not.toContain("@");
  });

  test("finds by beginnings, by a login and by a slip, and says which are near", async () => {
    expect(await complete("Ada Exa")).toEqual([
      { name: "Ada Example", login: "ada-example", about: "ada-example · Berlin, Germany" },
    ]);
    const [near] = await complete("Ada Exmaple");
    expect(near?.login).toBe("ada-example");
    expect(near?.about).toContain("similar name");
  });

  test("costs no call, and is throttled: the look-up after the last one of the minute is refused with 429", async () => {
    roster.clock.advance(61);
    const before = await count();
    const statuses = [];
    for (let at = 0; at <= lookupsPerMinute; at++) {
      statuses.push((await user.ask(`/find/names?q=marta${at}`)).status);
    }
    expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    expect(await count()).toBe(before);
    roster.clock.advance(61);
    expect((await user.ask("/find/names?q=marta")).status).toBe(200);
  });
});
