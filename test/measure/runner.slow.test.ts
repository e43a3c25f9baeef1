/** The command lines of `scripts/bench` and `scripts/truth`. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const scripts = join(import.meta.dir, "../../scripts/measure");
const labelled = join(import.meta.dir, "../truth/fixtures/locations-own.tsv");

function run(...argv: string[]) {
  const command = [process.execPath, join(scripts, "measure.ts"), ...argv];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command);
  return { exitCode, output: stdout.toString(), complaint: stderr.toString() };
}

for (const kind of ["bench", "truth"]) {
  test(`scripts/${kind} list names every measurement, what it takes and its options`, () => {
    const { exitCode, output } = run(kind, "list");
    expect(exitCode).toBe(0);
    for (const file of readdirSync(join(scripts, kind))) {
      expect(output).toContain(`scripts/${kind} ${file.replace(".ts", "")}`);
    }
    const usage = { bench: "bench start [--runs N]", truth: "truth bots FILE [PATH...]" };
    expect(output).toContain(usage[kind as "bench" | "truth"]);
  });
}

test("a measurement prints its rows and bars, and with --json one array", () => {
  const { exitCode, output } = run("truth", "places", labelled);
  expect(exitCode).toBe(0);
  expect(output).toMatch(/^places\.country\.precision +[\d.]+ +bar >= 0\.98 met$/m);
  const [first] = JSON.parse(run("truth", "places", labelled, "--json").output);
  expect(first).toMatchObject({ name: "places.country.precision", bar: 0.98, sense: "least" });
});

test("a wrong command line is refused with the usage", () => {
  const wrong = [
    [["bench", "nothing"], 'unknown measurement "nothing"; known: http, '],
    [["bench", "start", "--people", "5"], "scripts/bench start [--runs N]"],
    [["bench", "start", "--runs", "many"], "--runs must be a number."],
    [["bench", "start", "a-path"], "It takes no path."],
    [["truth", "places"], "It takes FILE."],
    [["truth", "places", "/nowhere.tsv"], "/nowhere.tsv: no such file"],
  ] as const;
  for (const [argv, message] of wrong) {
    const { exitCode, complaint } = run(...argv);
    expect({ exitCode, complaint }).toMatchObject({ exitCode: 2 });
    expect(complaint).toContain(message);
  }
});
