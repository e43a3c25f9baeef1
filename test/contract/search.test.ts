import { afterAll, describe, expect, test } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import type { SearchResultItem } from "../../src/contract/people/developer.ts";
import type { Facts } from "../../src/contract/people/facts.ts";
import { SearchRequest } from "../../src/contract/requests.ts";
import { openTestAppliance } from "../appliance.ts";
import { inventedPeople } from "../invented-people.ts";

const appliance = await openTestAppliance();
const client = appliance.client;
afterAll(() => appliance.close());

const logins = async (body: object): Promise<string[]> => {
  const reply = await client.search(body);
  expect(reply.status).toBe(200);
  return reply.body.data.results.map((result: { login: string }) => result.login);
};
const refusal = async (body: unknown): Promise<string> => {
  const reply = await client.search(body);
  expect([reply.status, reply.body?.error?.code]).toEqual([400, "invalid_request"]);
  return reply.body.error.message;
};
const companions = ["@acme", "Beta | ACME, Inc.", "Ácme & Söhne GmbH", "Acmeist", undefined].map(
  (company, at): Facts => {
    const { profile, ...facts } = inventedPeople[at] as Facts;
    const login = ["eva", "finn", "gil", "hal", "ian"][at] as string;
    return { ...facts, login, profile: { ...profile, ...(company && { company }) } };
  },
);
const texts = (count: number) => Array.from({ length: count }, (_, index) => `thing${index}`);

describe("POST /v1/search", () => {
  test("200 with envelope, data and meta", async () => {
    const { status, body } = await client.search({ location: "Berlin" });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["success", "data", "meta"]);
    expect(body.success).toBe(true);
    expect(body.meta.dataSource).toBe("candidate_pool");
    expect(body.meta.quota.month).toBe("2026-11");
    expect(body.data.matchedCount).toBe(body.data.results.length);
  });

  test("200 finds people in a city, in the region and in the country around it", async () => {
    expect((await logins({ location: "Berlin" })).sort()).toEqual(["Ben-Sample", "ada-example"]);
    expect(await logins({ location: "Bavaria" })).toEqual(["chloe-specimen"]);
    expect((await logins({ location: "Germany" })).sort()).toEqual([
      "Ben-Sample",
      "ada-example",
      "chloe-specimen",
      "dmitri-mock",
    ]);
  });

  test("200 never shows bots", async () => {
    expect(await logins({ location: "Germany" })).not.toContain("renovator-bot");
  });

  test("200 leaves unknown values out, and always has the counted ones", async () => {
    const { body } = await client.search({ location: "Lisbon" });
    const [bare] = body.data.results;
    expect(bare).toMatchObject({
      login: "kira-bare",
      location: "Lisbon, Portugal",
      platform_experience: 0,
      commits_per_month: 0,
      commit_frequency_label: "Unknown",
      commit_message_quality_label: "Insufficient Data",
      top_repositories: [],
      top_oss_contributions: [],
      matching_keywords: "",
    });
    for (const field of ["email", "name", "company", "bio", "hireable", "followers"]) {
      expect(bare).not.toHaveProperty(field);
    }
    expect(JSON.stringify(bare)).not.toContain("null");
  });

  test("200 with everybody for Worldwide, people without a known location too", async () => {
    const [ada, ben] = inventedPeople as [Facts, Facts];
    const { location: _, ...placeless } = ada.profile;
    const people = [{ ...ada, profile: placeless }, ben];
    const other = await openTestAppliance({ people });
    const { body } = await other.client.search({ location: "Worldwide" });
    const found = body.data.results.map((result: { login: string }) => result.login);
    expect(found.sort()).toEqual(["Ben-Sample", "ada-example"]);
    expect((await other.client.search({ location: "Berlin" })).body.data.totalCount).toBe(1);
    await other.close();
  });

  test("200 with empty results for a known place with nobody in it", async () => {
    for (const place of ["Iceland", "Saxony, Germany"]) {
      const { body } = await client.search({ location: place });
      expect(body.data).toEqual({ matchedCount: 0, totalCount: 0, offset: 0, results: [], place });
    }
  });

  test("200 with what the pool is told too little of, where a filter finds nobody for it", async () => {
    const people = inventedPeople.slice(0, 4).map(({ profile, ...rest }): Facts => {
      const { location: _, hireable: __, ...bare } = profile;
      return { ...rest, profile: bare };
    });
    const other = await openTestAppliance({ people });
    const noticesOf = async (body: object) => (await other.client.search(body)).body.data.notices;
    const remedy =
      "git history does not contain it, but profiles of a forge or an import of people may.";
    const placeless = `Nobody in this pool has a known place: ${remedy}`;
    for (const location of ["Germany", "Berlin", "Berlni"]) {
      expect([location, await noticesOf({ location })]).toEqual([location, [placeless]]);
    }
    expect(await noticesOf({ location: "Germany", isHireable: true })).toEqual([
      placeless,
      `Nobody in this pool is marked hireable: ${remedy}`,
    ]);
    expect(await noticesOf({ location: "Worldwide" })).toBeUndefined();
    await other.close();
  });

  test("200 counts those who are told, where they are few", async () => {
    const [placed, ...rest] = inventedPeople.slice(0, 4) as [Facts, ...Facts[]];
    const placeless = rest.map(({ profile: { location: _, ...profile }, ...facts }) => ({
      ...facts,
      profile,
    }));
    const other = await openTestAppliance({ people: [placed, ...placeless] });
    const notice = async () =>
      (await other.client.search({ location: "Iceland" })).body.data.notices[0];
    expect(await notice()).toStartWith("Only 1 of 4 people in this pool has a known place: ");
    await other.close();
  });

  test("200 with the place that was understood, and absent when it is not known", async () => {
    const understood = async (location: string) =>
      (await client.search({ location })).body.data.place;
    expect(await understood("berlin")).toBe("Berlin, Germany");
    expect(await understood("Cambridge")).toBe("Cambridge, England, United Kingdom");
    expect(await understood("Berlni")).toBeUndefined();
    expect(await understood("Минск")).toEndWith(", Belarus");
    expect(await understood("US-CA")).toBe("California, United States");
    expect(await understood("World")).toBe("Worldwide");
  });

  test("200 with the skills that nobody has and no vocabulary knows, absent when there are none", async () => {
    const unknown = async (...skills: string[]) =>
      (await client.search({ location: "Germany", skills })).body.data.unknownSkills;
    expect(await unknown("Go", "zzz toaster", "k8s", "ZZZ  Toaster", "qqq")).toEqual([
      "zzz toaster",
      "qqq",
    ]);
    // Known by a word of people's own; known to the vocabulary, though nobody here has it.
    expect(await unknown("quantum toaster", "COBOL")).toBeUndefined();
  });

  test("200 with what a misspelt skill or language may mean, absent where nothing is near", async () => {
    const near = async (asked: Readonly<Record<string, readonly string[]>>) =>
      (await client.search({ location: "Germany", ...asked })).body.data.nearTerms;
    expect(await near({ skills: ["Go", "Kuberntes"] })).toEqual([
      { asked: "Kuberntes", names: ["Kubernetes"] },
    ]);
    expect((await near({ languages: ["Ruts", "Pyton"] })).map(firstOf)).toEqual([
      ["Ruts", "Rust"],
      ["Pyton", "Python"],
    ]);
    expect(await near({ skills: ["Go", "qqqzzz"], languages: ["Rust"] })).toBeUndefined();
    // Known by a word of people's own.
    expect(await near({ skills: ["quantum toaster"] })).toBeUndefined();
    const many = ["Kuberntes", "Pyton", "Javascrpt", "reactt", "angualr", "Kotln", "dokcer"];
    expect((await near({ skills: many })).map(firstOf)).toEqual(
      many.slice(0, 5).map((asked) => [asked, expect.any(String)]),
    );
  });

  test("200 with keywords that can be split at commas, also one that was asked with a comma", async () => {
    const { body } = await client.search({
      ...{ location: "Worldwide", skills: ["quantum, toaster", "Go"], strictSkills: true },
    });
    expect(body.data.results.length).toBeGreaterThan(0);
    for (const { matching_keywords } of body.data.results) {
      expect(matching_keywords.split(", ")).toEqual(expect.arrayContaining(["quantum toaster"]));
    }
  });

  test.each([...["Berlni", "Remote", "Zzyzxqua", "Springfield", "Reykjavik", "Atlantis"]])(
    '200 with empty results and suggestions that work for "%s"',
    async (location) => {
      const { body } = await client.search({ location });
      expect(body.data).toMatchObject({ matchedCount: 0, totalCount: 0, results: [] });
      const suggestions: string[] = body.data.locationSuggestions;
      expect(suggestions.length).toBeGreaterThanOrEqual(1);
      expect(suggestions.length).toBeLessThanOrEqual(limits.suggestionsMax);
      if (location === "Berlni") expect(suggestions.join("|")).toContain("Berlin");
      for (const suggestion of suggestions) {
        const again = await client.search({ location: suggestion });
        expect(again.body.data).not.toHaveProperty("locationSuggestions");
        expect(again.body.data.totalCount).toBeGreaterThan(0);
      }
    },
  );

  test("200 with the qualifier deciding which Cambridge and which Georgia is meant", async () => {
    expect(await logins({ location: "Cambridge, UK" })).toEqual(["hugo-nobody"]);
    expect(await logins({ location: "Cambridge" })).toEqual(["hugo-nobody"]);
    expect(await logins({ location: "Cambridge, Massachusetts" })).toEqual([]);
    expect(await logins({ location: "Georgia" })).toEqual(["iris-dummy"]);
  });

  test("200 with a role ranks and filters; aliases resolve", async () => {
    const found = await logins({ location: "Germany", role: "backend" });
    expect(found).toContain("ada-example");
    expect(await logins({ location: "Germany", role: "back-end" })).toEqual(found);
    const { body } = await client.search({ location: "Germany", role: "frontend" });
    expect(body.data.results[0].login).toBe("Ben-Sample");
  });

  test("200 for a role whose words name a language asks for that too, and says so", async () => {
    const ask = async (query: object) =>
      (await client.search({ location: "worldwide", ...query })).body.data;
    const said = await ask({ role: "golang engineer" });
    const { results, totalCount } = await ask({ role: "backend", languages: ["Go"] });
    expect(said).toMatchObject({ totalCount, role: "Backend Developer", roleLanguages: ["Go"] });
    expect(said.results).toEqual(results);
    expect(totalCount).toBeGreaterThan(0);
    expect(totalCount).toBeLessThan((await ask({ role: "backend" })).totalCount);
    // What the request says itself stands as it is.
    const own = await ask({ role: "java developer", languages: ["Go"] });
    expect(own).toMatchObject({ totalCount, role: "Backend Developer", results });
    expect(own).not.toHaveProperty("roleLanguages");
    expect(await ask({ role: "Backend Developer" })).not.toHaveProperty("role");
  });

  test("200 for a role with a seniority, which is passed over and told", async () => {
    const ask = async (query: object) =>
      (await client.search({ location: "worldwide", ...query })).body.data;
    const { totalCount } = await ask({ role: "Backend Developer", languages: ["Go"] });
    expect(totalCount).toBeGreaterThan(0);
    expect(await ask({ role: "senior golang engineer" })).toMatchObject({
      ...{ totalCount, role: "Backend Developer", roleSeniority: ["senior"] },
      roleLanguages: ["Go"],
    });
  });

  test.each<[role: string, message: string]>([
    ["data", 'unknown role "data"; did you mean "Data Engineer"?'],
    ["senior", 'unknown role "senior"; known roles: '],
    [
      "TypeScript developer",
      'unknown role "TypeScript developer"; ask for languages ["TypeScript"] instead',
    ],
    [
      "UX Designers",
      'unknown role "UX Designers": git history shows the code of pages, not who designed them; ' +
        'the nearest role is "frontend", and the nearest skill is "UI Design". Known roles: ',
    ],
    [
      "WordPress developer",
      'unknown role "WordPress developer"; ask for skills ["WordPress"] instead, or together with a role.',
    ],
  ])("400 for the role %s says what to ask for instead", async (role, message) => {
    expect(await refusal({ location: "Berlin", role })).toStartWith(message);
  });

  test.each([
    ["recruiter", "recruits or runs an office. Known roles: "],
    ["backand", 'did you mean "'],
    ["backand", "devops"],
  ])("400 for the role %s names %j", async (role, words) => {
    expect(await refusal({ location: "Berlin", role })).toContain(words);
  });

  // R&D and go-to-market name no language.
  test.each(["R&D engineer", "go-to-market engineer"])(
    "400 for the role %s names no language",
    async (role) => {
      expect(await refusal({ location: "Berlin", role })).not.toContain("languages");
    },
  );

  test("200 with skills means any of them; strictSkills means all; synonyms resolve", async () => {
    const skills = ["golang", "reactjs"];
    expect((await logins({ location: "Berlin", skills })).sort()).toEqual([
      "Ben-Sample",
      "ada-example",
    ]);
    expect(await logins({ location: "Berlin", skills, strictSkills: true })).toEqual([]);
    const both = { location: "Berlin", skills: ["Go", "k8s"], strictSkills: true };
    expect(await logins(both)).toEqual(["ada-example"]);
  });

  test("200 with repositories means any of them, by name, owner and name, without case", async () => {
    const germans = (repositories: string[], rest = {}) =>
      logins({ location: "Germany", repositories, ...rest });
    const everybody = await logins({ location: "Germany" });
    expect(await germans(["commons"])).toEqual(everybody);
    expect(await germans([" Example-Org/COMMONS "])).toEqual(everybody);
    expect(await germans(["ben-sample/workbench"])).toEqual(["Ben-Sample"]);
    const two = ["dmitri-mock/workbench", "BEN-SAMPLE/WORKBENCH", "nobody/nothing"];
    expect((await germans(two)).sort()).toEqual(["Ben-Sample", "dmitri-mock"]);
    expect(await germans(two, { skills: ["React"] })).toEqual(["Ben-Sample"]);
    expect(await germans(["workbench"], { location: "Paris" })).toEqual(["elena.test"]);
    expect(await germans([])).toEqual(everybody);
    // Only whole names; and a bot's own is nobody's.
    for (const part of ["work", "sample/workbench", "Ben-Sample", "renovator-bot/workbench"]) {
      expect([part, await germans([part])]).toEqual([part, []]);
    }
  });

  test("200 with the repositories that nobody has worked in, and those of similar names, which work", async () => {
    const answer = async (...repositories: string[]) =>
      (await client.search({ location: "Worldwide", repositories })).body.data;
    expect(await answer("commons")).not.toHaveProperty("unknownRepositories");
    const asked = [
      "example-org/commnos",
      "elena.test/workbench",
      "forge.example/Ben-Sample/workbench",
    ];
    const { totalCount, unknownRepositories, repositorySuggestions } = await answer(...asked);
    expect([totalCount, unknownRepositories]).toEqual([1, [asked[0], asked[2]]]);
    expect(repositorySuggestions.slice(0, 2)).toContain("example-org/commons");
    expect(repositorySuggestions).toHaveLength(limits.suggestionsMax);
    for (const name of repositorySuggestions) {
      expect((await answer(name)).totalCount).toBeGreaterThan(0);
    }
    expect((await answer("zzzz")).repositorySuggestions).toEqual([]);
  });

  test("200 with an unknown skill looks at the developers' own words, all of them", async () => {
    expect(await logins({ location: "Paris", skills: ["quantum toaster"] })).toEqual([
      "elena.test",
    ]);
    expect(await logins({ location: "Paris", skills: ["quantum kettle"] })).toEqual([]);
  });

  test("200 never reads a misspelt skill as another one", async () => {
    expect(await logins({ location: "Berlin", skills: ["kubernettes"] })).toEqual([]);
  });

  test("200 with languages means any of them, together with the skills", async () => {
    expect(await logins({ location: "Berlin", languages: ["TypeScript"] })).toEqual(["Ben-Sample"]);
    expect((await logins({ location: "Berlin", languages: ["Go", "TypeScript"] })).length).toBe(2);
    expect(
      await logins({ location: "Berlin", languages: ["TypeScript"], skills: ["Kubernetes"] }),
    ).toEqual([]);
  });

  test("200 with minExperienceYears compares with the shown platform_experience", async () => {
    const { body } = await client.search({ location: "Germany", minExperienceYears: 10.5 });
    expect(body.data.results.length).toBeGreaterThan(0);
    for (const { platform_experience, github_experience } of body.data.results) {
      expect(platform_experience).toBeGreaterThanOrEqual(10.5);
      expect(github_experience).toBe(platform_experience);
    }
    const everybody = await logins({ location: "Germany", minExperienceYears: 0 });
    expect(everybody.length).toBe(4);
  });

  test("200 with maxExperienceYears compares with the shown platform_experience, both ends included", async () => {
    const { body } = await client.search({ location: "Germany" });
    const years = body.data.results.map((one: SearchResultItem) => one.platform_experience);
    const [least, , most] = years.toSorted((a: number, b: number) => a - b);
    const found = await client.search({
      ...{ location: "Germany", minExperienceYears: least, maxExperienceYears: most },
    });
    expect(found.body.data.results.length).toBe(3);
    expect(await logins({ location: "Germany", maxExperienceYears: 0 })).toEqual([]);
  });

  test("200 with company means all its words, without case, accents, @ and legal form", async () => {
    const other = await openTestAppliance({ people: companions });
    for (const [company, expected] of [
      ["acme", ["eva", "finn", "gil"]],
      ["@ACME", ["eva", "finn", "gil"]],
      ["Acme GmbH", ["eva", "finn", "gil"]],
      ["acme sohne", ["gil"]],
      ["acm", []],
    ] as const) {
      const { body } = await other.client.search({ location: "worldwide", company });
      const found = body.data.results.map(({ login }: SearchResultItem) => login);
      expect([company, found.toSorted()]).toEqual([company, [...expected]]);
    }
    await other.close();
    const nobody = await client.search({ location: "worldwide", company: "Acme" });
    expect(nobody.body.data).toMatchObject({
      totalCount: 0,
      notices: [expect.stringMatching(/^Nobody in this pool has a known company: /)],
    });
  });

  test("200 with sort orders by the figure shown, then as the match does", async () => {
    const match = await client.search({ location: "worldwide" });
    const results: SearchResultItem[] = match.body.data.results;
    for (const [sort, figureOf] of [
      ["activity", (one: SearchResultItem) => one.activity_score],
      ["followers", (one: SearchResultItem) => one.followers ?? -1],
      ["experience", (one: SearchResultItem) => one.platform_experience],
      ["match", () => 0],
    ] as const) {
      const expected = results.toSorted((a, b) => figureOf(b) - figureOf(a));
      const names = expected.map(({ login }) => login);
      expect(await logins({ location: "worldwide", sort })).toEqual(names);
      const page = { location: "worldwide", sort, maxResults: 4, offset: 3 };
      expect(await logins(page)).toEqual(names.slice(3, 7));
    }
  });

  test("200 with fields has these and the login alone, in their usual order", async () => {
    const asked = { location: "Berlin", fields: ["email", "score", "score"] };
    // Not the usual client, which requires the fields that are left out here.
    const { key } = await appliance.newAccount("pro");
    const ask = async () => {
      const body = JSON.stringify(asked);
      const headers = { "X-Api-Key": key, "Content-Type": "application/json" };
      const url = "http://localhost/v1/search";
      const request = new Request(url, { method: "POST", headers, body });
      return (await (await appliance.handle(request)).json()) as { readonly data: object };
    };
    const body = await ask();
    const whole = await client.search({ location: "Berlin" });
    expect(body.data).toEqual({
      ...whole.body.data,
      results: whole.body.data.results.map(({ login, score, email }: SearchResultItem) => {
        return { login, score, ...(email !== undefined && { email }) };
      }),
    });
    const all = await client.search({ location: "Berlin", fields: [] });
    expect(all.body.data).toEqual(whole.body.data);
    // The page written for one call is not given to the other.
    for (let repeats = 0; repeats < 3; repeats++) {
      expect((await ask()).data).toEqual(body.data);
      const { data } = (await client.search({ location: "Berlin" })).body;
      expect(data).toEqual(whole.body.data);
    }
  });

  test("200 with activeSince compares with the shown last_active_date", async () => {
    const { body } = await client.search({ location: "Germany" });
    const days = body.data.results.map(
      (one: { last_active_date?: string }) => one.last_active_date ?? "",
    );
    const [newest = ""] = days.toSorted().reverse();
    expect((await logins({ location: "Germany", activeSince: newest })).length).toBeGreaterThan(0);
    const after = new Date(Date.parse(newest) + 86_400_000).toISOString().slice(0, 10);
    expect(await logins({ location: "Germany", activeSince: after })).toEqual([]);
  });

  test("200 with isHireable true shows only flagged people; false and empty lists are as absent", async () => {
    expect((await logins({ location: "Germany", isHireable: true })).sort()).toEqual([
      "ada-example",
      "chloe-specimen",
    ]);
    const without = await logins({ location: "Germany" });
    for (const nothing of [{ isHireable: false }, { skills: [], languages: [] }])
      expect(await logins({ location: "Germany", ...nothing })).toEqual(without);
  });

  test("200 orders by score, then by lower-cased login, and shows what ordered", async () => {
    const { body } = await client.search({ location: "Germany" });
    for (const result of body.data.results) {
      const { profile_score, tech_stack_score, activity_score, score } = result;
      for (const part of [profile_score, tech_stack_score, activity_score]) {
        expect(Number.isInteger(part)).toBe(true);
      }
      const sum = (15 * profile_score + 50 * tech_stack_score + 35 * activity_score) / 100;
      expect(Math.abs(score - sum)).toBeLessThanOrEqual(0.0501);
    }
    const scores = body.data.results.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(await logins({ location: "Tokyo" })).toEqual(["twin-a", "twin-b"]);
  });

  test("200 pages joined equal the whole; past the end the total stays exact", async () => {
    const whole = await logins({ location: "Germany" });
    const pages: string[] = [];
    for (let offset = 0; offset < whole.length; offset += 1) {
      const { body } = await client.search({ location: "Germany", maxResults: 1, offset });
      expect([body.data.matchedCount, body.data.totalCount]).toEqual([1, whole.length]);
      pages.push(body.data.results[0].login);
    }
    expect(pages).toEqual(whole);
    const { body } = await client.search({ location: "Germany", offset: 200 });
    const none = { matchedCount: 0, totalCount: whole.length, offset: 200, results: [] };
    expect(body.data).toMatchObject(none);
  });

  test("200 with matching_keywords: what was asked for and found, as one text", async () => {
    const { body } = await client.search({ location: "Berlin", skills: ["k8s", "golang"] });
    const ada = body.data.results.find(({ login }: { login: string }) => login === "ada-example");
    expect(ada.matching_keywords).toContain("Kubernetes");
    expect(ada.matching_keywords).toContain("Go");
    expect(ada.matching_keywords).not.toContain("React");
  });

  test("200 shows published e-mail addresses only", async () => {
    const { body } = await client.search({ location: "Berlin" });
    const by = Object.fromEntries(
      body.data.results.map((result: { login: string }) => [result.login, result]),
    );
    expect(by["ada-example"].email).toBe("ada-example@example.com");
    expect(by["Ben-Sample"]).not.toHaveProperty("email");
  });

  test("200 at every bound of the document", async () => {
    const { resultsMax, offsetMax, experienceYearsMax, skillsMax, languagesMax } = limits;
    for (const bound of [
      ...[{ maxResults: 1 }, { maxResults: resultsMax }, { offset: 0 }, { offset: offsetMax }],
      ...[{ minExperienceYears: 0 }, { minExperienceYears: experienceYearsMax }],
      ...[{ maxExperienceYears: 0 }, { maxExperienceYears: experienceYearsMax }],
      ...[{ skills: texts(skillsMax) }, { languages: texts(languagesMax) }],
    ]) {
      expect((await client.search({ location: "Berlin", ...bound })).status).toBe(200);
    }
  });
});

describe("POST /v1/search, malformed", () => {
  test("400 just outside every bound, naming the field, the rule and the value", async () => {
    const outside: [object, string][] = [
      [{ maxResults: 0 }, "maxResults must be a whole number from 1 to 100, got 0"],
      [{ maxResults: 101 }, "maxResults must be a whole number from 1 to 100, got 101"],
      [{ offset: -1 }, "offset must be a whole number from 0 to 200, got -1"],
      [{ offset: 201 }, "offset must be a whole number from 0 to 200, got 201"],
      [{ minExperienceYears: -0.1 }, "minExperienceYears must be a number from 0 to 50, got -0.1"],
      [{ minExperienceYears: 50.1 }, "minExperienceYears must be a number from 0 to 50, got 50.1"],
      [{ maxExperienceYears: 51 }, "maxExperienceYears must be a number from 0 to 50, got 51"],
      [
        { minExperienceYears: 5, maxExperienceYears: 4 },
        "maxExperienceYears must be at least minExperienceYears (5), got 4",
      ],
      [
        { sort: "folowers" },
        'sort must be one of match, activity, followers, experience, got "folowers"; did you mean "followers"?',
      ],
      [{ fields: ["score", "emial"] }, 'fields[1]: unknown field "emial"; did you mean "email"?'],
      [{ skills: texts(21) }, "skills must be a list of at most 20 texts, got a list of 21"],
      [{ languages: texts(11) }, "languages must be a list of at most 10 texts, got a list of 11"],
    ];
    for (const [fields, message] of outside) {
      expect(await refusal({ location: "Berlin", ...fields })).toBe(message);
    }
  });

  test("400 without a location", async () => {
    expect(await refusal({})).toBe("location is required");
    expect(await refusal({ role: "backend" })).toBe("location is required");
  });

  for (const location of ["", " ", "\t\n", " "]) {
    test(`400 for the blank location ${JSON.stringify(location)}`, async () => {
      expect(await refusal({ location })).toContain("location must be");
    });
  }

  test("400 for a value of another type: nothing is coerced", async () => {
    const wrong: object[] = [
      ...[{ location: 5 }, { location: ["Berlin"] }, { maxResults: "5" }, { maxResults: 5.5 }],
      ...[{ offset: "0" }, { offset: true }, { minExperienceYears: "3" }, { isHireable: "true" }],
      ...[{ isHireable: 1 }, { strictSkills: "yes" }, { skills: "Go" }, { skills: [5] }],
      ...[{ languages: { 0: "Go" } }, { repositories: "commons" }, { repositories: [null] }],
      ...[{ role: 7 }, { role: "" }],
    ];
    for (const fields of wrong) {
      const [field] = Object.keys(fields);
      expect(await refusal({ location: "Berlin", ...fields })).toStartWith(field as string);
    }
  });

  test("400 for null in any field", async () => {
    for (const field of Object.keys(SearchRequest.properties)) {
      expect(await refusal({ location: "Berlin", [field]: null })).toContain("got null");
    }
  });

  test("400 for an unknown field, with the nearest known name", async () => {
    expect(await refusal({ location: "Berlin", skill: ["Go"] })).toBe(
      'unknown field "skill"; did you mean "skills"?',
    );
    expect(await refusal({ location: "Berlin", maxresults: 5 })).toContain("maxResults");
    expect(await refusal({ location: "Berlin", wholly_other: 5 })).toContain("known fields: ");
  });

  test("400 for prototype keys, by name, and nothing is polluted", async () => {
    const body = '{"location":"Berlin","__proto__":{"x":1}}';
    expect(await refusal(body)).toContain("__proto__");
    expect(await refusal('{"location":"Berlin","constructor":{"prototype":{"x":1}}}')).toContain(
      "constructor",
    );
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  test.each([
    ...["[]", "null", '"Berlin"', "5", "true"].map((body) => [body, "must be a JSON object"]),
    ...["{", '{"location":}', "{'location':1}", "NaN", '{"location":"a"} x'].map((body) => [
      ...[body, "must be valid JSON"],
    ]),
    ["", "is missing"],
  ])("400 for a body that is %j: it %s", async (body, words) => {
    expect(await refusal(body)).toContain(`the body ${words}`);
  });

  test("400 for a byte order mark, and for bytes that are no UTF-8", async () => {
    const text = JSON.stringify({ location: "Berlin" });
    expect(await refusal(`\uFEFF${text}`)).toContain("byte order mark");
    const overlong = new Uint8Array([0x22, 0xc0, 0xaf, 0x22]);
    const utf16 = new Uint8Array(Buffer.from(text, "utf16le"));
    expect(await refusal(overlong)).toContain("UTF-8");
    expect((await client.search(utf16)).status).toBe(400);
  });

  test("400 for lone surrogates and control characters in a text", async () => {
    expect(await refusal('{"location":"Ber\\ud800lin"}')).toContain("location");
    expect(await refusal('{"location":"Ber\\u0000lin"}')).toContain("location");
    expect(await refusal('{"location":"Berlin","skills":["a\\u001bb"]}')).toContain("skills[0]");
    expect(await refusal({ location: "Berlin", "a\u202e\u{e0041}b": 1 })).toContain('field "a b"');
  });

  test("400 for numbers beyond all bounds and for deep nesting, without delay", async () => {
    expect(await refusal('{"location":"Berlin","offset":1e309}')).toContain("offset");
    const deep = `{"location":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    expect(await refusal(deep)).toContain("location");
  });

  test("400 shows no part of a schema and no long echo", async () => {
    const message = await refusal({ location: "x".repeat(5000) });
    expect(message.length).toBeLessThan(200);
  });
});

const firstOf = ({ asked, names }: { asked: string; names: readonly string[] }) => [
  asked,
  names[0],
];
