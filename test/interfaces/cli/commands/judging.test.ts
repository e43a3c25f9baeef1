import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import model from "../../../../seed/model.json" with { type: "json" };
import type { RescoreReport } from "../../../../src/ingest/ingest.ts";
import { openTestAppliance } from "../../../appliance.ts";
import { inventedPeople } from "../../../invented-people.ts";
import { openCommandLine, writePeople } from "../command-line.ts";

const line = openCommandLine();
const run = (...argv: string[]) => line.run(...argv, "--data", line.folder);
const json = (...argv: string[]) => line.json(...argv, "--data", line.folder);
const people = writePeople(line);
const otherModel = join(line.folder, "..", "model.json");
const own = structuredClone(model);
own.activity.volumeFull.value = 300;
writeFileSync(otherModel, JSON.stringify(own));
await run("import", people, "--as-of", "2026-11-01");
afterAll(() => line.close());

const report = async (...flags: string[]) =>
  (await json("rescore", ...flags)) as RescoreReport & {
    asOf: string;
    modelVersion: string;
  };
const scores = async () =>
  (await json("search", "Germany", "--max-results", "100")) as {
    data: { results: { login: string; score: number }[] };
  };

test("import still takes --threads, and says that it has no effect", async () => {
  const again = await run("import", people, "--threads", "3", "--as-of", "2026-11-01");
  expect([again.code, again.err]).toEqual([0, expect.stringContaining("--threads has no effect")]);
});

describe("rescore", () => {
  test("as of the same day with the same model changes nothing", async () => {
    const { judged, moved, unchanged, meanAbsoluteMove } = await report("--as-of", "2026-11-01");
    expect({ moved, unchanged, meanAbsoluteMove }).toEqual({
      moved: 0,
      unchanged: judged,
      meanAbsoluteMove: 0,
    });
    expect(judged).toBe(inventedPeople.length);
  });

  test("without a day stays at the latest one that anybody was judged as of", async () => {
    const today = "2026-12-01";
    expect((await report("--diff")).moved).toBe(0);
    expect(await report()).toMatchObject({ asOf: "2026-11-01", moved: 0 });
    expect((await report("--diff", "--as-of", today)).moved).toBeGreaterThan(0);
    await report("--as-of", today);
    expect(await report("--diff")).toMatchObject({ asOf: today, moved: 0 });
    await report("--as-of", "2026-11-01");
    expect((await run("rescore", "--diff")).err).toContain("--as-of");
  });

  test("--diff shows who would move and why, largest first, and writes nothing", async () => {
    const before = await scores();
    const flags = ["--as-of", "2026-11-01", "--analysis-model-file", otherModel, "--limit", "1000"];
    const { moves, moved, revision } = await report("--diff", ...flags);
    expect((await scores()).data).toEqual(before.data);
    expect(revision).toBeUndefined();
    expect(moves.length).toBe(moved);
    expect(moved).toBeGreaterThan(0);
    const sizes = moves.map(({ score }) => Math.abs(score.to - score.from));
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    // Only the volume that is full is another one, and it asks for more.
    for (const { because, score } of moves) {
      expect(because?.component).toBe("activity");
      expect(because?.term).toBe("volume");
      expect(score.to).toBeLessThan(score.from);
    }
  });

  test("--diff promises what rescore then does, and --limit shows the largest of it", async () => {
    const flags = ["--as-of", "2026-11-01", "--analysis-model-file", otherModel];
    const { moves, modelVersion } = await report("--diff", ...flags, "--limit", "1000");
    const { moves: few } = await report("--diff", ...flags, "--limit", "1");
    expect(few).toEqual(moves.slice(0, 1));
    await report(...flags);
    for (const { login, score } of moves) {
      const analysis = (await json("explain", login)) as {
        scores: { score: number };
        modelVersion: string;
      };
      expect(analysis.scores.score).toBe(score.to);
      expect(analysis.modelVersion).toBe(modelVersion);
    }
    expect((await report("--diff", ...flags)).moved).toBe(0);
    await report("--as-of", "2026-11-01");
  });

  test("is due after the model has changed, until everybody is judged again, by it or by the next import", async () => {
    const models = async () =>
      new Set(
        await Promise.all(
          inventedPeople.map(async ({ login }) => {
            const shown = await json("explain", login);
            return (shown as { modelVersion: string }).modelVersion;
          }),
        ),
      );
    const other = ["--analysis-model-file", otherModel];
    expect((await run("doctor")).out).not.toContain("people were judged by");
    const one = join(line.folder, "..", "one.jsonl");
    writeFileSync(one, `${JSON.stringify(inventedPeople[0])}\n`);
    await run("import", one, "--as-of", "2026-11-01", ...other);
    const [version = ""] = await models();
    expect(await models()).toEqual(new Set([version]));
    expect(version).toMatch(/^2026\.11\.8\+/);
    const due = await run("doctor");
    expect(due.out).toContain(
      `people were scored with model ${version}, not with the current model 2026.11.8`,
    );
    expect(due.err).toContain("roster rescore --diff");
    const server = await openTestAppliance({ folder: line.folder, people: [] });
    expect(server.log()).toContain(`people were scored with model ${version}`);
    await server.close();
    await report("--as-of", "2026-11-01");
    expect((await run("doctor")).out).not.toContain("people were judged by");
  });

  test("keeps everybody's source", async () => {
    const out = join(line.folder, "..", "out.jsonl");
    await run("export", out);
    const before = await Bun.file(out).text();
    await report("--as-of", "2026-12-01");
    await run("export", out);
    expect(await Bun.file(out).text()).toBe(before);
    await report("--as-of", "2026-11-01");
  });

  test("refuses a limit that is none", async () => {
    const { code, err } = await run("rescore", "--limit", "-3");
    expect(code).toBe(2);
    expect(err).toContain("--limit");
  });
});

describe("a model file", () => {
  test.each(["import -", "rescore", "rescore --diff", "ingest git nowhere", "serve"])(
    "that is wrong stops `%s` with the constant's name",
    async (command) => {
      const broken = join(line.folder, "..", "broken.json");
      const own = structuredClone(model);
      own.activity.volumeFull.value = -1;
      writeFileSync(broken, JSON.stringify(own));
      const flags = ["--analysis-model-file", broken];
      const { code, err } = await run(...command.split(" "), ...flags);
      expect(code).toBe(2);
      expect(err).toContain("analysis.modelFile");
      expect(err).toContain("activity.volumeFull.value");
      expect(err).toContain("-1");
    },
  );

  test.each([
    ["absent.json", "no such file"],
    ["people.jsonl", "JSON"],
  ])("%s is refused in words", async (name, words) => {
    const path = join(line.folder, "..", name);
    const { code, err } = await run("rescore", "--analysis-model-file", path);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });

  test("is shown by config show", async () => {
    const rows = async (...flags: string[]) =>
      (await json("config", "show", ...flags)) as { name: string; value: string }[];
    const version = async (...flags: string[]) =>
      (await rows(...flags)).find(({ name }) => name === "modelVersion")?.value;
    expect(await version()).toBe("2026.11.8");
    expect(await version("--analysis-model-file", otherModel)).toMatch(
      /^2026\.11\.8\+[0-9a-f]{8}$/,
    );
  });
});

describe("explain with a query", () => {
  test("agrees with search on everybody, by JSON and by flags", async () => {
    const { data: found } = await scores();
    const shown = new Map(found.results.map(({ login, score }, at) => [login, { at, score }]));
    for (const { login } of inventedPeople) {
      const byJson = await json("explain", login, "--query", '{"location":"Germany"}');
      const byFlags = await json("explain", login, "--location", "Germany");
      expect(byFlags).toEqual(byJson);
      const { isIn, placing } = byJson as {
        isIn: boolean;
        placing?: { rank: number; score: number };
      };
      const place = shown.get(login);
      expect(isIn).toBe(place !== undefined);
      expect(placing?.score).toEqual(place?.score as number);
      expect(placing?.rank).toEqual(place && place.at + 1);
    }
  });

  test("says by which repository somebody is in or not", async () => {
    const flags = "--location Berlin --repository commons --repository nobody/none".split(" ");
    const verdict = async (login: string, ...more: string[]) => {
      const { verdicts } = (await json("explain", login, ...flags, ...more)) as {
        verdicts: { field: string }[];
      };
      return verdicts.find(({ field }) => field === "repositories");
    };
    expect(await verdict("ada-example")).toEqual({
      ...{ field: "repositories", holds: true },
      ...{ asked: "any of commons, nobody/none", has: "commons, lacks nobody/none" },
    });
    expect(await verdict("kira-bare")).toMatchObject({
      ...{ holds: false, has: "lacks commons, lacks nobody/none" },
    });
    const query = '{"location":"Berlin","repositories":["Ben-Sample/workbench"]}';
    const { out } = await run("explain", "ada-example", "--query", query);
    expect(out).toMatch(/^repositories +NO +any of Ben-Sample\/workbench +lacks Ben-Sample/m);
  });

  test.each([
    [["--query", "{"], "--query must be JSON"],
    [["--query", "[]"], "must be a JSON object"],
    [["--role", "backend"], "location is required"],
    [["--query", '{"location":"Berlin","skill":"Go"}'], 'did you mean "skills"'],
    [["--location", "Berlin", "--role", "bakend"], "did you mean"],
  ])("refuses %p", async (flags, words) => {
    const login = inventedPeople[0]?.login as string;
    const { code, err, out } = await run("explain", login, ...flags);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(words);
  });

  test("of nobody is not found", async () => {
    const { code } = await run("explain", "nobody-here", "--location", "Berlin");
    expect(code).toBe(4);
  });
});
