/** What the page of one person shows of assistants, of credit that others give, and of skills by kind. */
import { afterAll, expect, test } from "bun:test";
import { openTestAppliance } from "../../../appliance.ts";
import { inventedPeople } from "../../../invented-people.ts";
import { invited, readable } from "../person.ts";

const login = "ada-example";

const people = inventedPeople.map((facts) =>
  facts.login === login && facts.commits
    ? {
        ...facts,
        commits: {
          ...facts.commits,
          assisted: { total: 9, volume: { "2025-03": 9 }, agents: { claude: 9 } },
        },
        credits: { reviewed: { count: 12, first: "2024-02-03", last: "2025-06-07" } },
      }
    : facts,
);
const roster = await openTestAppliance({ people });
const user = await invited(roster, "user@corp.example");
afterAll(() => roster.close());

const open = async (query = "") => user.open(`/developers/${login}${query}`);

test("commits that say that an assistant took part, and commits of others that name the person", async () => {
  const words = readable((await open()).text);
  expect(words).toMatch(/AI assistants 9 of \d+ counted commits say .* \(Claude 9\)/);
  expect(words).toContain("Reviewed 12 commits of others Feb 2024 to Jun 2025");
  expect(readable((await user.open("/developers/Ben-Sample")).text)).not.toContain(
    "commits of others",
  );
});

test("skills of one kind are chosen by a link; a kind that nobody has shows all", async () => {
  const all = await open();
  const kinds = [...all.text.matchAll(/\?kind=([\w+]+)#skills"[^>]*>[^(]*\((\d+)\)/g)];
  expect(kinds.length).toBeGreaterThan(1);
  const count = (text: string) => text.split('<tr><th scope="row"><strong>').length - 1;
  const sum = kinds.reduce((total, [, , one]) => total + Number(one), 0);
  expect(count(all.text)).toBe(sum);
  for (const [, kind = "", one] of kinds) {
    const { text } = await open(`?kind=${kind}`);
    expect([kind, count(text)]).toEqual([kind, Number(one)]);
    expect(text).toContain(`?kind=${kind}#skills" aria-current="true"`);
  }
  expect(count((await open("?kind=nothing")).text)).toBe(sum);
});
