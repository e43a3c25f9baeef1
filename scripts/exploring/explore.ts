/** The command line of `scripts/explore`. */
import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { relative, resolve } from "node:path";
import { Command } from "commander";
import { findDrawnTests } from "./drawn-tests.ts";
import { asPositive, asSeed } from "./options.ts";

const root = resolve(import.meta.dir, "../..");
const command = new Command("scripts/explore")
  .description(
    "Runs the tests that draw their cases, in their long form: with new seeds until the time is over, or once with one seed.",
  )
  .argument("[path]", "a file or folder of tests, from the top of the checkout", "test")
  .option("--minutes <N>", "after this time no further test starts", asPositive, 10)
  .option("--seed <S>", "runs each file once with this seed: repeats a failure", asSeed)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();

const { minutes, seed } = command.opts<{ minutes: number; seed?: number }>();
const path = command.args[0] ?? "test";
const files = findDrawnTests(resolve(root, path));
if (files.length === 0) command.error(`error: path: no test in ${path} draws its cases`);

const running = new Set<Bun.Subprocess>();
const untilMs = performance.now() + minutes * 60_000;
let runs = 0;
let isStopped = false;
const failures: string[] = [];

process.on("SIGINT", () => {
  isStopped = true;
  for (const child of running) child.kill();
});

if (seed === undefined) console.log(`${files.length} files, new seeds for ${minutes} minutes`);
else console.log(`${files.length} files, once with the seed ${seed}`);
const queue = takeTurns();
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const [file, drawn] of queue) await run(file, drawn);
  }),
);
console.log(`${runs} runs, ${failures.length} failed`);
for (const failure of failures) console.log(`  ${failure}`);
process.exit(isStopped ? 130 : failures.length === 0 ? 0 : 1);

/** Every file in turn, each time with another seed. */
function* takeTurns(): Generator<[file: string, seed: number]> {
  do {
    for (const file of files) {
      if (isStopped || (seed === undefined && performance.now() >= untilMs)) return;
      yield [file, seed ?? randomInt(2 ** 31)];
    }
  } while (seed === undefined);
}

async function run(file: string, drawn: number): Promise<void> {
  const child = Bun.spawn(["bun", "run", "--silent", "test", file], {
    cwd: root,
    env: { ...process.env, TEST_LONG: "1", TEST_SEED: String(drawn) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(child);
  const [said, complained, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  running.delete(child);
  if (isStopped) return;
  runs += 1;
  if (code === 0) return;
  const repeat = `scripts/explore --seed ${drawn} ${relative(root, file)}`;
  failures.push(repeat);
  console.log(`${said}${complained}\nFailed. This repeats it: ${repeat}\n`);
}
