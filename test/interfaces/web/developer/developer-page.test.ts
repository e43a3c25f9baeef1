/** What the page of one person shows of activity, of assistants, of credit that others give, and of skills by kind. */
import { afterAll, expect, test } from "bun:test";
import { openTestAppliance } from "../../../appliance.ts";
import { inventedPeople } from "../../../invented-people.ts";
import { invited, readable } from "../person.ts";

const login = "ada-example";

const stale = {
  ...{ name: "example/mirror", owned: false, commits: 200 },
  ...{ firstCommit: "2022-01-03", lastCommit: "2024-10-24", historyEnd: "2024-10-24" },
};
const busyMonths = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [
    new Date(Date.UTC(2023, 9 + at)).toISOString().slice(0, 7),
    9,
  ]),
);
/** One whose mirror ends, and one who stopped. */
const quiet = [
  { login: "mirrored", repositories: [stale] },
  { login: "stopped", repositories: [] },
].map((about) => ({
  ...{ ...about, source: "git", profile: {}, emails: [], evidence: [] },
  commits: {
    ...{ total: 108, volume: busyMonths, first: "2022-01-03", last: "2024-10-24" },
    semantic: { eligible: 0, matches: 0 },
    quality: { n: 0, good: 0, withBody: 0, withReference: 0, withReason: 0 },
  },
}));

const people = [...quiet, ...inventedPeople].map((facts) =>
  facts.login === login && facts.commits
    ? {
        ...facts,
        commits: {
          ...facts.commits,
          assisted: { total: 9, volume: { "2025-03": 9 }, agents: { claude: 9 } },
        },
        credits: {
          reviewed: { count: 12, first: "2024-02-03", last: "2025-06-07" },
          approved: { count: 1, first: "2025-06-07", last: "2025-06-07" },
        },
      }
    : facts,
);
const roster = await openTestAppliance({ people });
const user = await invited(roster, "user@corp.example");
afterAll(() => roster.close());

const open = async (query = "") => user.open(`/developers/${login}${query}`);

test("commits that say that an assistant took part, and commits of others that name the person", async () => {
  const words = readable((await open()).text);
  expect(words).toMatch(
    /AI assistants: 9 of [\d,]+ commits 9 of [\d,]+ counted commits say .* \(Claude 9\)/,
  );
  expect(words).toContain("Reviewed 12 commits of others Feb 2024 to Jun 2025");
  expect(words).toContain("Approved 1 change of others Jun 2025 This year");
  expect(readable((await user.open("/developers/Ben-Sample")).text)).not.toContain(
    "commits of others",
  );
});

test("all skills stand by kind, each kind with the strongest first", async () => {
  const [, table = ""] = /Evidence<\/th>.*?<tbody>(.*?)<\/tbody>/.exec((await open()).text) ?? [];
  const rows = [...table.matchAll(/<strong>.*?class="muted">(\w+)<.*?class="number">(\d+)</g)];
  const [analysis] = await roster.modules.pool.findAnalyses([login]);
  expect(rows).toHaveLength(analysis?.repositories.skills.length ?? 0);
  const kinds = [...Map.groupBy(rows, ([, kind]) => kind)];
  expect(kinds.length).toBeGreaterThan(2);
  expect(kinds.flatMap(([, ofKind]) => ofKind)).toEqual(rows);
  for (const [, ofKind] of kinds) {
    const strengths = ofKind.map(([, , strength]) => Number(strength));
    expect(strengths).toEqual(strengths.toSorted((a, b) => b - a));
  }
});

test("where what was read ends, the page says so, and judges activity as of that day", async () => {
  const words = readable((await user.open("/developers/mirrored")).text);
  expect(words).toContain("active in Oct 2024");
  expect(words).toMatch(/Data ends 24 Oct 2024 ?; later work may exist\./);
  expect(words).toContain(
    "Last 12 months 108 commits in 12 of 12 months, Oct 2023 to Sep 2024 (Very Active)",
  );
  expect(words).toMatch(/Worked steadily, 9 commits a month ?\./);
  const compared = readable((await user.open(`/compare?login=mirrored&login=${login}`)).text);
  expect(compared).toContain("Data ends 24 Oct 2024: example/mirror 24 Oct 2024");
});

test("activity now and the best year of three have names of their own", async () => {
  const words = readable((await user.open("/developers/stopped")).text);
  expect(words).toContain(
    "Last 12 months 0 commits in 0 of 12 months, Nov 2025 to Oct 2026 (Inactive)",
  );
  expect(words).toContain(
    "Best year of the last three 99 commits in 11 of 12 months, Nov 2023 to Oct 2024",
  );
  expect(words).toContain("Score uses 90 % of the best year");
  expect(words).toMatch(/Quiet since Oct 2024 ?\./);
  expect(words).not.toContain("steadily");
  const compared = readable((await user.open(`/compare?login=stopped&login=${login}`)).text);
  expect(compared).not.toContain("Data ends");
});

test("the introduction leads to its evidence on the page", async () => {
  const { text } = await open();
  const [, introduction = ""] = /<p class="introduction">(.*?)<\/p>/.exec(text) ?? [];
  expect(readable(introduction).trim()).toBe(
    "Works mostly on their own ada-example/workbench : 600 commits since 2023. Writes Go . Works steadily, 30 commits a month .",
  );
  const anchors = [...introduction.matchAll(/href="#(\w+)"/g)].map(([, id]) => id);
  expect(anchors).toEqual(["repositories", "activity", "skills", "activity"]);
  for (const id of anchors) expect(text).toContain(`<section class="card" id="${id}"`);
});

test("how sure the figures are is said where they are not, with a link for those who can add sources", async () => {
  const words = readable((await user.open("/developers/mirrored")).text);
  expect(words).toContain("How sure is this? Low : their forge says little about them.");
  expect(readable((await open()).text)).not.toContain("How sure is this?");
  expect((await user.open("/developers/mirrored")).text).not.toContain("/admin/sources");
});
