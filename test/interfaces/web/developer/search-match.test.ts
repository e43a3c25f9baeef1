/** A person who was opened from a search: both scores, why they differ, and no call more than without the search. */
import { afterAll, describe, expect, test } from "bun:test";
import { openTestAppliance } from "../../../appliance.ts";
import { countCalls, invited, readable } from "../person.ts";

const roster = await openTestAppliance({ people: [], config: { demo: true } });
const email = "lead@corp.example";
const lead = await invited(roster, email);
afterAll(() => roster.close());

const login = "ada-example";
const query = "location=Berlin&role=backend&skills=Go";
const request = { location: "Berlin", role: "backend", skills: ["Go"] };

const used = () => countCalls(roster, email);

async function explain() {
  const { pool, search } = roster.modules;
  const row = await pool.findRankingFeatures(login);
  if (!row) throw new Error(`The demo has no ${login}.`);
  const { placing, total } = await search.explain(row, request);
  const [analysis] = await pool.findAnalyses([login]);
  if (!placing || !analysis) throw new Error(`The search does not find ${login}.`);
  return { placing, total, overall: analysis.scores.score };
}

describe("a person opened from a search", () => {
  test("is linked with the query, and shows match and overall as explain has them, for one call", async () => {
    const results = await lead.open(`/?${query}`);
    const path = `/developers/${login}?${query}`;
    expect(results.text).toContain(`href="${path.replaceAll("&", "&amp;")}"`);
    const before = await used();
    const page = await lead.open(path);
    expect(await used()).toBe(before + 1);
    const { placing, total, overall } = await explain();
    const words = readable(page.text);
    const [match, whole] = [placing.score.toFixed(1), overall.toFixed(1)];
    expect(match).not.toBe(whole);
    expect(words).toContain(`${match} match for this search, ${whole} overall`);
    expect(words).toContain(`Score ${whole} of 100 overall, for the best role`);
    expect(words).toContain(`number ${placing.rank} of the ${total} people found`);
    expect(words).toMatch(/what is asked \(Go \d+\) gives a tech stack of \d+ and counts 80 %/);
    expect(page.text).toContain(`href="/?${query.replaceAll("&", "&amp;")}"`);
    // The results show the same two scores.
    const card = readable(results.text);
    expect(card).toContain(`${match} match ${whole} overall`);
    expect(card).toContain("Match for this search , of 100: 80 % what is asked");
  });

  test("has a table whose parts make both scores, to a tenth", async () => {
    const { text } = await lead.open(`/developers/${login}?${query}`);
    const [, table = ""] = /Difference<\/th>.*?<tbody>(.*?)<\/tbody>/.exec(text) ?? [];
    const rows = table.split("</tr>").map((row) => readable(row).replaceAll("−", "-"));
    const points = rows.flatMap((row) =>
      [...row.matchAll(/= ([\d.]+)/g)].map(([, one]) => Number(one)),
    );
    const sum = (at: number) =>
      points.filter((_, index) => index % 2 === at).reduce((a, b) => a + b, 0);
    const { placing, overall } = await explain();
    expect(points.length).toBe(6);
    expect(Math.abs(sum(0) - placing.score)).toBeLessThan(0.2);
    expect(Math.abs(sum(1) - overall)).toBeLessThan(0.2);
    const last = rows.findLast((row) => row.includes("Score")) ?? "";
    const difference = Number(/([+-]?[\d.]+) *$/.exec(last.trim())?.[1]);
    expect(difference).toBeCloseTo(placing.score - overall, 5);
  });

  test("keeps the query where the page links to itself, and in a comparison", async () => {
    const { text } = await lead.open(`/developers/${login}?${query}`);
    const kept = query.replaceAll("&", "&amp;");
    expect(text).toContain(`/developers/${login}?${kept}&amp;kind=language#skills`);
    expect(text).toContain(`/compare?add=${login}&amp;${kept}`);
    const compared = await lead.open(`/compare?login=${login}&login=an-yueshi-example&${query}`);
    const { placing, overall } = await explain();
    const words = readable(compared.text);
    expect(words).toContain("Match for Backend Developer, Go in Berlin");
    expect(words).toMatch(new RegExp(`in Berlin ${placing.score} not in this search`));
    expect(words).toContain(`Overall score, for the best role ${overall}`);
    expect(compared.text).toContain(`/developers/${login}?${kept}`);
    expect(compared.text).toContain('<input type="hidden" name="skills" value="Go"/>');
    expect(readable((await lead.open(`/compare?login=${login}`)).text)).not.toContain("Match for");
  });

  test("whom the search does not find is told which condition does not hold", async () => {
    const words = readable(
      (await lead.open(`/developers/${login}?location=Munich&skills=Go`)).text,
    );
    expect(words).toContain("Not in this search");
    expect(words).toContain("Place Berlin, Germany no Munich, Bavaria, Germany");
    expect(words).toMatch(/Skills Go \d+ yes any of Go/);
  });

  test("without a role and a skill both scores are one, and the page says so", async () => {
    const { overall } = await explain();
    const words = readable((await lead.open(`/developers/${login}?location=Berlin`)).text);
    expect(words).toContain(`${overall.toFixed(1)} match for this search, ${overall.toFixed(1)}`);
    expect(words).toContain("so the match is the overall score");
  });

  test("a query that is not valid is named by its field; the person is shown all the same", async () => {
    for (const [wrong, message] of [
      ["role=wizard", 'Unknown role "wizard"'],
      ["years=many", 'MinExperienceYears must be a number from 0 to 50, got "many"'],
      ["since=yesterday", "ActiveSince"],
      [`location=${"x".repeat(5000)}`, "Location"],
      ["skills=%3Cscript%3Ealert(1)%3C/script%3E", "Not in this search"],
    ] as const) {
      const page = await lead.open(`/developers/${login}?${wrong}`);
      expect([wrong, page.status]).toEqual([wrong, 200]);
      expect(readable(page.text)).toContain(message);
      expect(page.text).toContain("<h1>Ada Example</h1>");
      expect(page.text).not.toContain("<script>alert");
    }
    expect((await lead.open(`/developers/${login}?utm_source=mail`)).text).not.toContain(
      'id="match"',
    );
  });
});

test("the level stands apart from years, a share has a scale that fits, and each count says what it counts", async () => {
  const card = readable((await lead.open(`/?${query}`)).text);
  expect(card).toMatch(/account of [\d.]+ years · last active \d+ \w+ \d{4}/);
  expect(card).not.toMatch(/(Expert|Advanced|Intermediate|Beginner) ·/);
  expect(card).toMatch(/Go \d+ in [\d,]+ commits/);
  const { text } = await lead.open(`/developers/${login}`);
  const words = readable(text);
  expect(words).toMatch(/Level: \w+/);
  expect(words).not.toContain("of 100, ");
  expect(words).toContain("Commits with it");
  expect(words).not.toMatch(/\d\.\d commits?\b/);
  const [, languages = ""] = /Share of lines<\/th>.*?<tbody>(.*?)<\/tbody>/.exec(text) ?? [];
  const bars = [...languages.matchAll(/bar-value" width="([\d.]+)%"/g)].map(([, one]) =>
    Number(one),
  );
  expect(Math.max(...bars)).toBe(100);
});
