import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isKey } from "../../../src/accounts/accounts.ts";
import { operations } from "../../../src/operations/index.ts";
import { inventedPeople } from "../../invented-people.ts";
import { openCommandLine, writePeople } from "./command-line.ts";

const line = openCommandLine();
const run = (...argv: string[]) => line.run(...argv, "--data", line.folder);
const json = (...argv: string[]) => line.json(...argv, "--data", line.folder);
const peopleFile = writePeople(line);
await run("import", peopleFile);
afterAll(() => line.close());

describe("usage", () => {
  test.each([
    ["search Berlin --langages Go", 2, "usage", "--languages"],
    ["account show nobody@example.com", 4, "not_found", ""],
    ["key regenerate nobody@example.com", 4, "not_found", ""],
    ["account set-plan nobody@example.com --calls-per-day 1", 4, "not_found", ""],
    ["account set-plan a@example.com gold", 2, "usage", ""],
    ["account create a@example.com --plan gold", 2, "usage", ""],
    ["account create a@example.com --plan pro --calls-per-month -5", 2, "usage", ""],
    ["account create no-address --plan pro", 2, "invalid_request", ""],
    ["import nowhere.jsonl", 4, "not_found", ""],
    [`import ${peopleFile} --as-of 2026-13-01`, 2, "usage", "YYYY-MM-DD"],
    ["person export nobody-at-all", 4, "not_found", ""],
  ])("a refusal with --json is JSON too: %s", async (command, exitCode, errorCode, words) => {
    const { code, out, err } = await run(...command.split(" "), "--json");
    const { success, error } = JSON.parse(out);
    expect([code, success, error.code]).toEqual([exitCode, false, errorCode]);
    // People read the same on standard error.
    expect(err).toContain(error.message.split("\n")[0]);
    expect(err).toContain(words);
  });

  test.each([
    [
      "search Berlin --max-results 500",
      2,
      "maxResults must be a whole number from 1 to 100, got 500",
    ],
    ["get nobody-here", 4, "No developer matches"],
  ])("%s ends with %i and says why", async (command, code, words) => {
    const ran = await run(...command.split(" "));
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(words)]);
  });

  test("an unknown command is refused with the nearest name", async () => {
    const { code, err } = await line.run("serch", "Berlin");
    expect(code).toBe(2);
    expect(err).toContain("search");
  });

  test("help names every operation, each of which has a help of 80 columns with an example", async () => {
    const { code, out } = await line.run("--help");
    expect(code).toBe(0);
    for (const { command } of operations) {
      expect(out).toContain(command);
      const help = await line.run(command, "--help");
      expect(help.out).toContain("Example:");
      const synopsis = help.out.slice(0, help.out.indexOf("Example:"));
      expect(synopsis.split("\n").filter(({ length }) => length > 80)).toEqual([]);
    }
  });

  test("the version and the licences are printed", async () => {
    expect(await line.run("--version")).toEqual({ code: 0, out: "roster 0.0.0-test\n", err: "" });
    expect(await line.run("--licenses")).toEqual({ code: 0, out: "every licence\n", err: "" });
  });

  test("a folder without data is not made by asking", async () => {
    const { code, err } = await line.run("get", "ada-example", "--data", `${line.folder}-none`);
    expect(code).toBe(4);
    expect(err).toContain("holds no Roster data");
  });
});

describe("the operations", () => {
  test("search finds people, and its JSON is the envelope of REST", async () => {
    const flags = ["--skills", "Go,k8s", "--max-results", "3"];
    const answer = await json("search", "Berlin", ...flags);
    expect(answer).toMatchObject({
      success: true,
      meta: { dataSource: "candidate_pool", quota: { limit: -1 } },
    });
    const { data: found } = answer as {
      data: { results: { login: string }[]; matchedCount: number };
    };
    expect(found.results[0]?.login).toBe("ada-example");
    expect(found.matchedCount).toBe(found.results.length);
  });

  test("a list may be given at once, one by one, or both", async () => {
    const logins = async (...flags: string[]) => {
      const answer = await json("search", "Germany", ...flags);
      const { data: found } = answer as { data: { results: { login: string }[] } };
      return found.results.map(({ login }) => login).sort();
    };
    const [ada, ben, dmitri] = ["ada-example", "Ben-Sample", "dmitri-mock"].map(
      (login) => `${login}/workbench`,
    ) as [string, string, string];
    expect(await logins("--repository", ben)).toEqual(["Ben-Sample"]);
    const both = ["Ben-Sample", "ada-example"];
    expect(await logins("--repository", ada, "--repository", ben)).toEqual(both);
    expect(await logins("--repositories", `${ada}, ${ben}`)).toEqual(both);
    const flags = ["--repositories", `${ada},${ben}`, "--repository", dmitri, "--skill", "React"];
    expect(await logins(...flags)).toEqual(["Ben-Sample"]);
  });

  test("explain shows terms with their evidence, and counts no call", async () => {
    const used = async () =>
      ((await json("get", "ada-example")) as { meta: { quota: { used: number } } }).meta.quota.used;
    const before = await used();
    const { code, out } = await run("explain", "ada-example");
    expect(code).toBe(0);
    expect(out).toContain("volume");
    expect(await used()).toBe(before + 1);
  });
});

describe("accounts and keys", () => {
  test("the last enabled administrator is disabled with --yes only", async () => {
    const add = (email: string) =>
      run("account", "create", email, "--plan", "pro", "--administrator");
    const disable = (...args: string[]) => run("account", "disable", ...args);
    for (const email of ["one@example.com", "two@example.com"]) await add(email);
    expect((await disable("one@example.com")).code).toBe(0);
    const last = await disable("two@example.com");
    expect([last.code, last.err]).toEqual([
      2,
      expect.stringContaining(
        '"two@example.com" is the only enabled administrator: create or enable another one first, or add --yes',
      ),
    ]);
    // Again what is disabled already is no matter, and neither is whoever administrates nothing.
    expect((await disable("one@example.com")).code).toBe(0);
    expect((await disable("two@example.com", "--yes")).code).toBe(0);
    expect((await run("account", "enable", "two@example.com")).code).toBe(0);
  });

  test("an account is created with its key, shown, changed, disabled and listed", async () => {
    const email = "team@example.com";
    const made = (await json("account", "create", email, "--plan", "pro")) as {
      key: string;
    };
    expect(made).toEqual({ email, plan: "pro", key: expect.any(String) } as never);
    expect(isKey(made.key)).toBe(true);
    const shown = { plan: "pro", callsPerMonth: 1000, callsPerDay: 2000 };
    expect(await json("account", "show", email)).toMatchObject(shown);
    const own = ["--plan", "enterprise", "--calls-per-day", "unlimited"];
    const changed = await json("account", "set-plan", email, ...own);
    expect(changed).toMatchObject({ plan: "enterprise", callsPerMonth: -1, callsPerDay: -1 });
    expect(await json("account", "disable", email)).toMatchObject({ disabled: true });
    expect(await json("account", "enable", email)).toMatchObject({ disabled: false });
    const { out } = await run("account", "list");
    expect(out).toContain(email);
    expect(out).not.toContain(made.key);
  });

  test("own limits change without naming the plan again; nothing to change is a usage fault", async () => {
    const email = "limited@example.com";
    await run("account", "create", email, "--plan", "pro");
    const own = await json("account", "set-plan", email, "--calls-per-month", "7");
    expect(own).toMatchObject({ plan: "pro", callsPerMonth: 7, callsPerDay: 2000 });
    expect((await run("account", "set-plan", email)).code).toBe(2);
  });

  test("a new key is made without a folder, for an unattended first start", async () => {
    const { key } = (await line.json("key", "new")) as { key: string };
    expect(isKey(key)).toBe(true);
  });
});

describe("data", () => {
  test("the same file again changes nothing", async () => {
    expect(await json("import", peopleFile)).toMatchObject({
      added: 0,
      replaced: 0,
      unchanged: inventedPeople.length,
      rejected: 0,
    });
  });

  test("bad lines are named with number and reason; strict refuses the file", async () => {
    const bad = join(line.folder, "..", "bad.jsonl");
    writeFileSync(
      bad,
      `${JSON.stringify(inventedPeople[0])}\n${JSON.stringify({ ...inventedPeople[1], login: 5 })}\nnot json\n`,
    );
    const lenient = await run("import", bad);
    expect(lenient.code).toBe(0);
    expect(lenient.err).toContain("line 2: login");
    expect(lenient.err).toContain("line 3:");
    const strict = await run("import", bad, "--strict");
    expect(strict.code).toBe(3);
  });

  test("the schema of a line is printed without a folder", async () => {
    const { code, out } = await line.run("import", "--schema");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ type: "object" });
  });
});

describe("places and settings", () => {
  test("a location text is explained", async () => {
    const answer = await line.json("places", "explain", "Berlin", "/", "Lisbon");
    expect(answer).toMatchObject({
      places: [{ place: { name: "Berlin" } }, { place: { name: "Lisbon" } }],
    });
  });

  test("every setting shows where it came from, and no secret", async () => {
    writeFileSync(join(line.folder, "roster.toml"), "[quota]\ncountInvalid = true\n");
    const rows = (await json("config", "show", "--port", "8080")) as {
      name: string;
    }[];
    const row = (name: string) => rows.find((one) => one.name === name);
    expect(row("port")).toMatchObject({ value: "8080", from: "flag --port" });
    expect(row("quota.countInvalid")).toMatchObject({ value: "true" });
    expect(row("host")).toMatchObject({ from: "default" });
  });

  test("a misspelt setting in the file stops with the nearest name", async () => {
    writeFileSync(join(line.folder, "roster.toml"), "prot = 8080\n");
    const { code, err } = await run("config", "show");
    writeFileSync(join(line.folder, "roster.toml"), "");
    expect(code).toBe(2);
    expect(err).toContain('did you mean "port"');
  });
});
