/** The pictures of one person and of several, as text: what they say, of whom, and where they lead. */
import { afterAll, describe, expect, test } from "bun:test";
import { computeScore } from "../../../../src/contract/people/developer.ts";
import type { Facts } from "../../../../src/contract/people/facts.ts";
import { findForgeUrl } from "../../../../src/interfaces/web/developer/about-sections.tsx";
import { openTestAppliance } from "../../../appliance.ts";
import { inventedPeople } from "../../../invented-people.ts";
import { oddPeople } from "../odd-people.ts";
import { invited, readable } from "../person.ts";

const ada = inventedPeople[0] as Facts;
/** People with the same skills; each has more commits than the one before. */
const backends = Array.from({ length: 24 }, (_, at): Facts => {
  const volume = Object.fromEntries(
    Object.keys(ada.commits?.volume ?? {}).map((month) => [month, 1 + at]),
  );
  const commits = ada.commits && { ...ada.commits, volume };
  return { ...ada, login: `backend-${at}`, emails: [], ...(commits && { commits }) };
});
const roster = await openTestAppliance({ people: [...inventedPeople, ...oddPeople, ...backends] });
const user = await invited(roster, "user@corp.example");
const few = await openTestAppliance({ people: [...inventedPeople] });
const userOfFew = await invited(few, "user@corp.example");
afterAll(async () => {
  await roster.close();
  await few.close();
});

const labelsOf = (html: string) =>
  [...html.matchAll(/<svg[^>]* role="img" aria-label="([^"]*)"/g)].map(([, label = ""]) =>
    readable(label),
  );

describe("pictures of one person", () => {
  test("activity tells all months that were read, and each year of the history is named", async () => {
    const { text } = await user.open("/developers/cjk-example");
    const activity = labelsOf(text).find((label) => label.startsWith("Commits by month"));
    expect(activity).toMatch(
      /^Commits by month, Jan 2001 to Nov 2026; most in \w+ 20\d\d: 7 commits\.$/,
    );
    const labels = [
      ...text.matchAll(/<text class="chart-label chart-middle( wide)?"[^>]*>(\d{4})</g),
    ];
    const onPhone = labels.filter(([, wide]) => !wide).map(([, , year]) => year);
    expect(onPhone.length).toBeGreaterThan(3);
    expect(onPhone.length).toBeLessThanOrEqual(14);
    expect(text).toContain("<title>Jan 2002: ");
  });

  test("skills over time name their years; those with most work come first and are eight at most", async () => {
    const { text } = await user.open("/developers/ada-example");
    const strips = labelsOf(text).filter((label) =>
      / in \d+ of \d+ years; most in \d{4}\.$/.test(label),
    );
    expect(strips[0]).toBe("Go: 2023 to 2026, in 4 of 4 years; most in 2024.");
    expect(readable(text)).toContain("21,600 lines, 2023 to 2026 96");
    expect(strips.length).toBeGreaterThanOrEqual(5);
    expect(strips.length).toBeLessThanOrEqual(8);
  });

  test("a skill of more years than fit is not used in more years than there are", async () => {
    const { text } = await user.open("/developers/cjk-example");
    const strips = labelsOf(text).filter((label) => label.startsWith("Go: "));
    expect(strips).toEqual(["Go: 2001 to 2026, in 26 of 26 years; most in 2018."]);
    expect(text).toContain("<title>Until 2003: ");
  });

  test("the place in the pool is counted among all of the role, costs nothing, and needs twenty people", async () => {
    const { pool } = roster.modules;
    const analyses = await pool.findAnalyses([...(await pool.logins())]);
    const [own] = await pool.findAnalyses(["backend-12"]);
    const best = own?.roleMatch[0];
    const scores = new Map<string, number>();
    for (const analysis of analyses) {
      // The analysis has the tech stack of the best role only.
      if (analysis?.profile.class !== "human" || analysis.scores.role !== best?.role) continue;
      const { profile, techStack, activity } = analysis.scores.scores;
      scores.set(analysis.profile.login, computeScore(profile, techStack, activity));
    }
    const others = [...scores.values()].filter((score) => score < (own?.scores.score ?? 0)).length;
    const counted = await roster.modules.search.countRoleScores(best?.role ?? "");
    const words = readable((await user.open("/developers/backend-12")).text);
    const [, share = "", all = ""] =
      /of 100, higher than (\d+) % of the (\d+) Backend Developers here/.exec(words) ?? [];
    expect(Number(all)).toBe(counted?.total ?? 0);
    const rest = Number(all) - scores.size;
    const possible = [others, others + rest].map((lower) => (100 * lower) / (Number(all) - 1));
    expect(Number(share)).toBeGreaterThanOrEqual(Math.floor(possible[0] as number));
    expect(Number(share)).toBeLessThanOrEqual(Math.floor(possible[1] as number));
    expect(words).toContain("Half of them score");
    const small = readable((await userOfFew.open("/developers/ada-example")).text);
    expect(small).not.toContain("Developers here");
    expect(small).toContain("Roles: Backend Developer Role Match Backend Developer");
  });

  test("repositories lead to their forge where it is known, and else to their people", async () => {
    const { text } = await user.open("/developers/cjk-example");
    expect(text).toContain(
      'href="https://git.example:8443/acme/payments" rel="noreferrer nofollow"',
    );
    expect(text).toContain('href="/?repositories=acme%2Fodd+name"');
    expect(text).not.toContain("javascript:");
    expect(findForgeUrl("evil.example/?x=", "a/b")).toBeUndefined();
    expect(findForgeUrl("github.com", "folder")).toBeUndefined();
    expect(findForgeUrl("git.example/forge/", "a/b c")).toBe("https://git.example/forge/a/b%20c");
  });
});

describe("a comparison", () => {
  test("has sections, activity on one scale, and marks the highest of each row", async () => {
    const { text } = await user.open(
      "/compare?login=ada-example&login=Ben-Sample&login=cjk-example",
    );
    const sections = [...text.matchAll(/scope="rowgroup"[^>]*>([^<]+)</g)].map(
      ([, title]) => title,
    );
    expect(sections).toEqual([
      "Score, of 100",
      "Skills, strength of 100",
      "Languages, share of lines",
      "Activity",
      "Experience",
      "The same for all",
    ]);
    expect(labelsOf(text)).toHaveLength(3);
    expect(labelsOf(text)[0]).toMatch(/^Commits by month, Nov 2023 to Oct 2026; most in/);
    const commits = /<th scope="row">Commits, all years<\/th>(.*?)<\/tr>/.exec(text)?.[1] ?? "";
    const cells = [...commits.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = ""]) => readable(cell));
    expect(cells.map((cell) => cell.includes("highest"))).toEqual([true, false, false]);
    expect(readable(text)).toContain("Commits, Nov 2025 to Oct 2026");
    expect(readable(text)).not.toMatch(/(\D0\b ){3}/);
  });

  test("lists in one row what only one has, and says once what nobody has", async () => {
    const compare = async (...logins: string[]) =>
      (await user.open(`/compare?${logins.map((login) => `login=${login}`).join("&")}`)).text;
    const different = await compare("ada-example", "Ben-Sample");
    expect(readable(different)).toContain("Only theirs gRPC 99, Kubernetes 99, Docker 98,");
    expect(different).not.toContain('<th scope="row">Docker</th>');
    const bare = await compare("kira-bare");
    expect(readable(bare)).toContain("None: Tech stack · Activity · Commits, all years · ");
    expect(readable(bare)).not.toMatch(/Best role none/);
  });

  test("marks nobody where all are equal", async () => {
    const { text } = await user.open("/compare?login=backend-3&login=backend-4");
    const [, same = ""] = text.split("The same for all");
    const row = /<th scope="row">gRPC<\/th>(.*?)<\/tr>/.exec(same)?.[1] ?? "";
    expect(row).toContain("<td>");
    expect(row).not.toContain("highest");
  });
});
