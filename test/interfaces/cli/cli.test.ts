import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isKey } from "../../../src/accounts/accounts.ts";
import { operations } from "../../../src/operations/index.ts";
import { inventedPeople } from "../../invented-people.ts";
import { openCommandLine } from "./command-line.ts";

const line = openCommandLine();
const data = ["--data", line.folder];
const peopleFile = join(line.folder, "..", "people.jsonl");
writeFileSync(peopleFile, inventedPeople.map((facts) => `${JSON.stringify(facts)}\n`).join(""));
await line.run("import", peopleFile, ...data);
afterAll(() => line.close());

describe("usage", () => {
  test("an unknown flag is refused with the nearest name", async () => {
    const { code, err, out } = await line.run("search", "Berlin", "--langages", "Go", ...data);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("--languages");
  });

  test.each([
    ["a flag that is none", ["search", "Berlin", "--langages", "Go"], 2, "usage"],
    ["an account that is none", ["account", "show", "nobody@example.com"], 4, "not_found"],
    ["a plan that is none", ["account", "set-plan", "a@example.com", "gold"], 2, "usage"],
    ["a file that is none", ["import", "nowhere.jsonl"], 4, "not_found"],
    ["a person who is none", ["person", "export", "nobody-at-all"], 4, "not_found"],
  ])("a refusal with --json is JSON too: %s", async (_, argv, exitCode, errorCode) => {
    const { code, out, err } = await line.run(...argv, "--json", ...data);
    const { success, error } = JSON.parse(out);
    expect({ code, success, error: error.code }).toEqual({
      code: exitCode,
      success: false,
      error: errorCode,
    });
    // People read the same on standard error.
    expect(err).toContain(error.message.split("\n")[0]);
  });

  test("an unknown command is refused with the nearest name", async () => {
    const { code, err } = await line.run("serch", "Berlin");
    expect(code).toBe(2);
    expect(err).toContain("search");
  });

  test("help names every operation, and every command has an example or arguments", async () => {
    const { code, out } = await line.run("--help");
    expect(code).toBe(0);
    for (const { command } of operations) {
      expect(out).toContain(command);
      const help = await line.run(command, "--help");
      expect(help.out).toContain("Example:");
    }
  });

  test("the version and the licences are printed", async () => {
    expect(await line.run("--version")).toEqual({ code: 0, out: "roster 0.0.0-test\n", err: "" });
    expect(await line.run("--licenses")).toEqual({ code: 0, out: "every licence\n", err: "" });
  });

  test("the help of every operation fits a terminal of 80 columns", async () => {
    for (const { command } of operations) {
      const { out } = await line.run(command, "--help");
      const example = out.slice(0, out.indexOf("Example:"));
      expect(example.split("\n").filter(({ length }) => length > 80)).toEqual([]);
    }
  });

  test("a folder without data is not made by asking", async () => {
    const { code, err } = await line.run("get", "ada-example", "--data", `${line.folder}-none`);
    expect(code).toBe(4);
    expect(err).toContain("holds no Roster data");
  });
});

describe("the operations", () => {
  test("search finds people, and its JSON is the envelope of REST", async () => {
    const answer = await line.json(
      "search",
      "Berlin",
      "--skills",
      "Go,k8s",
      "--max-results",
      "3",
      ...data,
    );
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
      const answer = await line.json("search", "Germany", ...flags, ...data);
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

  test("the required field may stand as a flag too", async () => {
    const positional = (await line.json("search", "Berlin", ...data)) as { data: unknown };
    const flagged = (await line.json("search", "--location", "Berlin", ...data)) as {
      data: unknown;
    };
    expect(flagged.data).toEqual(positional.data);
  });

  test("a login that nobody has is exit code 4", async () => {
    const { code, err } = await line.run("get", "nobody-here", ...data);
    expect(code).toBe(4);
    expect(err).toContain("No developer matches");
  });

  test("a value out of range is exit code 2 and names the field", async () => {
    const { code, err } = await line.run("search", "Berlin", "--max-results", "500", ...data);
    expect(code).toBe(2);
    expect(err).toContain("maxResults must be a whole number from 1 to 100, got 500");
  });

  test("explain shows terms with their evidence, and counts no call", async () => {
    const used = async () =>
      ((await line.json("get", "ada-example", ...data)) as { meta: { quota: { used: number } } })
        .meta.quota.used;
    const before = await used();
    const { code, out } = await line.run("explain", "ada-example", ...data);
    expect(code).toBe(0);
    expect(out).toContain("volume");
    expect(await used()).toBe(before + 1);
  });

  test("foreign text cannot steer a terminal", async () => {
    const { out } = await line.run("analyze", "ada-example", ...data);
    expect(out.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });
});

describe("accounts and keys", () => {
  test("the last enabled administrator is disabled with --yes only", async () => {
    const add = (email: string) =>
      line.run("account", "create", email, "--plan", "pro", "--administrator", ...data);
    const disable = (...args: string[]) => line.run("account", "disable", ...args, ...data);
    for (const email of ["one@example.com", "two@example.com"]) await add(email);
    expect((await disable("one@example.com")).code).toBe(0);
    const last = await disable("two@example.com");
    expect([last.code, last.err]).toEqual([
      2,
      expect.stringContaining(
        '"two@example.com" is the last administrator who is not disabled: make or enable another one first, or add --yes',
      ),
    ]);
    // Again what is disabled already is no matter, and neither is whoever administrates nothing.
    expect((await disable("one@example.com")).code).toBe(0);
    expect((await disable("two@example.com", "--yes")).code).toBe(0);
    expect((await line.run("account", "enable", "two@example.com", ...data)).code).toBe(0);
  });

  test("an account is created with its key, shown, changed, disabled and listed", async () => {
    const email = "team@example.com";
    const made = (await line.json("account", "create", email, "--plan", "pro", ...data)) as {
      key: string;
    };
    expect(made).toEqual({ email, plan: "pro", key: expect.any(String) } as never);
    expect(isKey(made.key)).toBe(true);
    expect(await line.json("account", "show", email, ...data)).toMatchObject({
      plan: "pro",
      callsPerMonth: 1000,
      callsPerDay: 2000,
    });
    const changed = await line.json(
      ...[
        "account",
        "set-plan",
        email,
        "--plan",
        "enterprise",
        "--calls-per-day",
        "unlimited",
        ...data,
      ],
    );
    expect(changed).toMatchObject({ plan: "enterprise", callsPerMonth: -1, callsPerDay: -1 });
    expect(await line.json("account", "disable", email, ...data)).toMatchObject({ disabled: true });
    expect(await line.json("account", "enable", email, ...data)).toMatchObject({ disabled: false });
    const { out } = await line.run("account", "list", ...data);
    expect(out).toContain(email);
    expect(out).not.toContain(made.key);
  });

  test("own limits change without naming the plan again; nothing to change is a usage fault", async () => {
    const email = "limited@example.com";
    await line.run("account", "create", email, "--plan", "pro", ...data);
    const own = await line.json("account", "set-plan", email, "--calls-per-month", "7", ...data);
    expect(own).toMatchObject({ plan: "pro", callsPerMonth: 7, callsPerDay: 2000 });
    expect((await line.run("account", "set-plan", email, ...data)).code).toBe(2);
    const unknown = await line.run(
      ...["account", "set-plan", "nobody@example.com", "--calls-per-day", "1", ...data],
    );
    expect(unknown.code).toBe(4);
  });

  test("an unknown account is exit code 4, a plan that is none exit code 2", async () => {
    expect((await line.run("key", "regenerate", "nobody@example.com", ...data)).code).toBe(4);
    expect((await line.run("account", "show", "nobody@example.com", ...data)).code).toBe(4);
    expect(
      (await line.run("account", "create", "x@example.com", "--plan", "gold", ...data)).code,
    ).toBe(2);
    expect((await line.run("account", "create", "no-address", "--plan", "pro", ...data)).code).toBe(
      2,
    );
    const limit = ["--calls-per-month", "-5"];
    expect(
      (await line.run("account", "create", "y@example.com", "--plan", "pro", ...limit, ...data))
        .code,
    ).toBe(2);
  });

  test("a new key is made without a folder, for an unattended first start", async () => {
    const { key } = (await line.json("key", "new")) as { key: string };
    expect(isKey(key)).toBe(true);
  });
});

describe("data", () => {
  test("the same file again changes nothing", async () => {
    expect(await line.json("import", peopleFile, ...data)).toMatchObject({
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
    const lenient = await line.run("import", bad, ...data);
    expect(lenient.code).toBe(0);
    expect(lenient.err).toContain("line 2: login");
    expect(lenient.err).toContain("line 3:");
    const strict = await line.run("import", bad, "--strict", ...data);
    expect(strict.code).toBe(3);
  });

  test("the schema of a line is printed without a folder", async () => {
    const { code, out } = await line.run("import", "--schema");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ type: "object" });
  });

  test("what is exported imports to the same export", async () => {
    const one = join(line.folder, "..", "one.jsonl.zst");
    expect((await line.run("export", one, ...data)).code).toBe(0);
    const other = openCommandLine();
    await other.run("import", one, "--data", other.folder);
    const two = join(other.folder, "..", "two.jsonl.zst");
    await other.run("export", two, "--data", other.folder);
    expect(await Bun.file(two).bytes()).toEqual(await Bun.file(one).bytes());
    other.close();
  });

  test("a day that is none is refused", async () => {
    const { code, err } = await line.run("import", peopleFile, "--as-of", "2026-13-01", ...data);
    expect(code).toBe(2);
    expect(err).toContain("YYYY-MM-DD");
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
    const rows = (await line.json("config", "show", "--port", "8080", ...data)) as {
      name: string;
    }[];
    const row = (name: string) => rows.find((one) => one.name === name);
    expect(row("port")).toMatchObject({ value: "8080", from: "flag --port" });
    expect(row("quota.countInvalid")).toMatchObject({ value: "true" });
    expect(row("host")).toMatchObject({ from: "default" });
  });

  test("a misspelt setting in the file stops with the nearest name", async () => {
    writeFileSync(join(line.folder, "roster.toml"), "prot = 8080\n");
    const { code, err } = await line.run("config", "show", ...data);
    writeFileSync(join(line.folder, "roster.toml"), "");
    expect(code).toBe(2);
    expect(err).toContain('did you mean "port"');
  });
});
