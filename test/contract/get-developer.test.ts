import { afterAll, describe, expect, test } from "bun:test";
import { openTestAppliance } from "../appliance.ts";

const appliance = await openTestAppliance();
const client = appliance.client;
const key = (await appliance.newAccount("enterprise", { callsPerDay: "unlimited" })).key;
afterAll(() => appliance.close());

const raw = (segment: string) => client.ask({ path: `/v1/users/${segment}`, key });

describe("GET /v1/users/{login}", () => {
  test("200 with the profile: username, a list of keywords, and the profile's own fields", async () => {
    const { status, body } = await client.get("ada-example");
    expect(status).toBe(200);
    const { data } = body;
    expect(data.username).toBe("ada-example");
    expect(data).not.toHaveProperty("login");
    expect(data.matching_keywords).toContain("Go");
    expect(data).toMatchObject({
      name: "Ada Example",
      location: "Berlin, Germany",
      email: "ada-example@example.com",
      hireable: "Yes",
      followers: 2012,
      created_at: "2012-03-14T09:26:53Z",
      profile_url: "https://forge.example/ada-example",
      avatar_url: "https://forge.example/ada-example.png",
      commit_frequency_label: "Prolific",
    });
    expect(data.top_repositories[0].name).toContain("workbench");
    expect(data.github_experience).toBe(data.platform_experience);
    expect(data.twitter_username).toBe(data.social_username);
    const analysis = await client.analyze(data.username);
    expect(data.matching_keywords.length).toBeGreaterThan(0);
    expect(analysis.body.data.scores.matchingKeywords).toEqual(data.matching_keywords);
  });

  test("200 without regard to case, answered in the stored spelling", async () => {
    for (const spelling of ["BEN-SAMPLE", "ben-sample", "Ben-Sample"]) {
      expect((await client.get(spelling)).body.data.username).toBe("Ben-Sample");
    }
    // Dots and underscores are letters of logins, too.
    for (const login of ["elena.test", "farid_demo"])
      expect((await client.get(login)).status).toBe(200);
  });

  test("200 for a login whose letters are percent-encoded: decoded once", async () => {
    expect((await raw("%61da%2Dexample")).body.data.username).toBe("ada-example");
    expect((await raw("%2561da-example")).status).toBe(404);
  });

  test("200 says No for hireable only when a source says so, and nothing when none does", async () => {
    expect((await client.get("Ben-Sample")).body.data.hireable).toBe("No");
    expect((await client.get("dmitri-mock")).body.data).not.toHaveProperty("hireable");
  });

  test("200 does not publish addresses that were only seen in commits", async () => {
    const reply = await client.get("Ben-Sample");
    expect(JSON.stringify(reply.body)).not.toContain("ben-sample@example.com");
  });

  test("200 leaves unknown values out", async () => {
    const { body } = await client.get("kira-bare");
    for (const field of ["email", "blog", "created_at", "avatar_url", "last_active_date"]) {
      expect(body.data).not.toHaveProperty(field);
    }
    expect(body.data.matching_keywords).toEqual([]);
  });

  test("200 ignores the query string and a body", async () => {
    expect((await raw("ada-example?maxResults=500&x")).status).toBe(200);
  });

  test("HEAD answers like GET, without a body, and counts as a call", async () => {
    const account = await appliance.newAccount("pro");
    const path = "/v1/users/ada-example";
    const head = await client.ask({ method: "HEAD", path, key: account.key });
    expect([head.status, head.body]).toEqual([200, undefined]);
    const get = await client.get("ada-example", account.key);
    expect(get.body.meta.quota.used).toBe(2);
  });

  test("404 not_found for a login that nobody has", async () => {
    const { status, body } = await client.get("nobody-here");
    expect([status, body.error.code]).toEqual([404, "not_found"]);
    expect(body.error.message).toBe("No developer matches the given login.");
  });

  test.each([
    ...["..%2f..%2fetc%2fpasswd", "%00", "ada-example%00", "ada%0d%0aexample", "%252e%252e"],
    ...["__proto__", "constructor", "a%2fb", "a%20b", "%F0%9F%98%80", "%27%20OR%201%3D1--"],
    ...["x".repeat(101), "x".repeat(4000)],
  ])("404 for %s, which can be no login", async (segment) => {
    const { status, body } = await raw(segment);
    expect([status, body.error.code]).toEqual([404, "not_found"]);
  });

  test.each(["%zz", "%", "%ff", "%c0%af", "%ed%a0%80", "ada%2", "%EF%BF%BD"])(
    "400 for %s, which is no percent-encoded UTF-8",
    async (segment) => {
      const { status, body } = await raw(segment);
      expect([status, body.error.code]).toEqual([400, "invalid_request"]);
    },
  );
});

describe("POST /v1/profile/analyze", () => {
  test("200 with the analysis of the document and ours", async () => {
    const { status, body } = await client.analyze("ada-example");
    expect(status).toBe(200);
    const { data } = body;
    expect(Object.keys(data).sort()).toEqual([
      ...["activity", "asOf", "assistance", "badges", "commitQuality", "confidence", "emails"],
      ...["explanation", "modelVersion", "proficiency", "profile", "repositories", "roleMatch"],
      ...["scores", "summary"],
    ]);
    expect(data.emails.emails).toEqual([
      { address: "ada-example@example.com", sources: ["profile", "commits"], isPrimary: true },
    ]);
    expect(data.roleMatch.map(({ role }: { role: string }) => role)).toContain("backend");
    expect(data.scores.role).toBe(data.roleMatch[0].role);
    expect(data.asOf).toBe("2026-11-21");
  });

  test("200 agrees with the profile and with itself", async () => {
    const analysis = (await client.analyze("ada-example")).body.data;
    const profile = (await client.get("ada-example")).body.data;
    expect(analysis.scores.score).toBe(profile.score);
    expect(analysis.proficiency.score).toBe(profile.score);
    expect(analysis.scores.scores).toEqual({
      profile: profile.profile_score,
      techStack: profile.tech_stack_score,
      activity: profile.activity_score,
    });
    expect(analysis.proficiency.experienceYears).toBe(profile.platform_experience);
    expect(analysis.commitQuality.label).toBe(profile.commit_message_quality_label);
  });

  test("200 for somebody of whom nothing is known, at no confidence and without a level", async () => {
    const { status, body } = await client.analyze("kira-bare");
    expect(status).toBe(200);
    expect(body.data.proficiency.level).toBe("Little Evidence");
    expect(body.data.confidence).toBeLessThan(0.5);
    expect(body.data.emails.emails).toEqual([]);
    expect(body.data.badges).toEqual([]);
  });

  test("200 for a bot by its login, labelled as one", async () => {
    const { status, body } = await client.analyze("renovator-bot");
    expect([status, body.data.profile.class]).toEqual([200, "bot"]);
  });

  test("200 with login beside username when they agree; 400 when they differ", async () => {
    const ask = (username: string) => {
      const body = { login: "ada-example", username };
      return client.ask({ path: "/v1/profile/analyze", key, body });
    };
    expect((await ask("ada-example")).status).toBe(200);
    const reply = await ask("Ben-Sample");
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toContain("login and username");
  });

  test.each<[object, string]>([
    [{}, "username"],
    [{ username: null }, "username"],
    [{ username: 5 }, "username"],
    [{ username: ["ada-example"] }, "username"],
    [{ username: "ada-example", plan: "enterprise" }, 'unknown field "plan"'],
  ])("400 for %j", async (body, words) => {
    const reply = await client.ask({ path: "/v1/profile/analyze", key, body });
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toStartWith(words);
  });

  test.each(["nobody-here", "a/b", "a b", "a\u0000b", "ünïcode", "x".repeat(101), "../..", "🙂"])(
    "404 for %j, which is nobody's login",
    async (username) => {
      const { status, body } = await client.analyze(username);
      expect([status, body.error.code]).toEqual([404, "not_found"]);
    },
  );

  test("400 for a lone surrogate", async () => {
    const body = '{"username":"a\\ud800"}';
    expect((await client.ask({ path: "/v1/profile/analyze", key, body })).status).toBe(400);
  });
});
