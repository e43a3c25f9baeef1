/** A person who was opened from a search: both scores, why they differ, and no call more than without the search. */
import { afterAll, describe, expect, test } from "bun:test";
import { formatScore } from "../../../../src/contract/format.ts";
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
    const [match, whole] = [formatScore(placing.score), formatScore(overall)];
    expect(match).not.toBe(whole);
    expect(words).toContain(`${whole} of 100, higher than `);
    expect(words).toContain(`${match} match for this search Experience and breadth`);
    expect(words).toContain(`number ${placing.rank} of ${total} people`);
    expect(words).toMatch(/Go \d+ yes any of Go/);
    expect(page.text).toContain(`href="/?${query.replaceAll("&", "&amp;")}"`);
    // The results show the same two scores.
    const card = readable(results.text);
    expect(card).toContain(`${match} match, number ${placing.rank} of ${total} ${whole} overall`);
    expect(card).toContain("skills of the search, 80 %");
  });

  test("has a table whose parts make both scores", async () => {
    const { text } = await lead.open(`/developers/${login}?${query}`);
    const [, table = ""] = /Part<\/th>.*?<tbody>(.*?)<\/tbody>/.exec(text) ?? [];
    const columns = table
      .split("</tr>")
      .map((row) =>
        [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) => readable(cell)),
      );
    const sumOf = (at: number) =>
      columns
        .map((cells) => /(\d+) × (\d+) %/.exec(cells[at] ?? ""))
        .reduce((sum, found) => sum + (Number(found?.[1] ?? 0) * Number(found?.[2] ?? 0)) / 100, 0);
    const { placing, overall } = await explain();
    expect(Math.abs(sumOf(0) - placing.score)).toBeLessThan(0.1);
    expect(Math.abs(sumOf(1) - overall)).toBeLessThan(0.1);
    expect(readable(table)).toContain(`Sum ${formatScore(placing.score)} ${formatScore(overall)}`);
  });

  test("keeps the query where the page links to itself, and in a comparison", async () => {
    const { text } = await lead.open(`/developers/${login}?${query}`);
    const kept = query.replaceAll("&", "&amp;");
    expect(text).toContain(`/compare?add=${login}&amp;${kept}`);
    const compared = await lead.open(`/compare?login=${login}&login=an-yueshi-example&${query}`);
    const { placing, overall } = await explain();
    const words = readable(compared.text);
    expect(words).toContain("Match for Backend Developer, Go in Berlin");
    expect(words).toMatch(new RegExp(`in Berlin ${formatScore(placing.score)} highest not found`));
    expect(words).toMatch(new RegExp(` Score ${formatScore(overall)} `));
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
    expect(words).toContain(`${formatScore(overall)} match for this search`);
    expect(words).toContain("The search names no role or skill: the match is the score.");
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

test("each count says what it counts", async () => {
  const words = readable((await lead.open(`/developers/${login}`)).text);
  expect(words).not.toMatch(/\d\.\d commits?\b/);
  expect(words).toMatch(/Go .* [\d,]+ lines, 2015 to 2026 \d+/);
});
