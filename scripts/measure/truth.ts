import { truthOfGit } from "./truth-git.ts";
import { truthOfPlaces } from "./truth-places.ts";
import { type Truth, UnreadableTruth } from "./truth-report.ts";

/** `several` takes any number of paths, the others one file. */
const truths: Record<
  string,
  { several: boolean; score: (paths: readonly string[]) => Promise<Truth> }
> = {
  places: { several: false, score: ([file = ""]) => truthOfPlaces(file) },
  git: { several: true, score: truthOfGit },
};

const usage = "Usage: scripts/truth places FILE | git PATH... [--json] [--misses]";

if (import.meta.main) process.exitCode = await main(Bun.argv.slice(2));

/** @returns the exit code: 0 when all bars are met, 3 when not, 2 when the command or the file is wrong. */
async function main(args: readonly string[]): Promise<number> {
  const flags = args.filter((arg) => arg.startsWith("--"));
  const [name = "", ...paths] = args.filter((arg) => !arg.startsWith("--"));
  const truth = truths[name];
  const unknown = flags.find((flag) => flag !== "--json" && flag !== "--misses");
  if (!truth || paths.length === 0 || (paths.length > 1 && !truth.several) || unknown) {
    console.error(unknown ? `Unknown flag ${unknown}.\n${usage}` : usage);
    return 2;
  }
  try {
    const found = await truth.score(paths);
    show(found, flags);
    return found.rows.every((row) => row.met) ? 0 : 3;
  } catch (thrown) {
    if (!(thrown instanceof UnreadableTruth)) throw thrown;
    console.error(thrown.message);
    return 2;
  }
}

function show({ rows, counts, misses }: Truth, flags: readonly string[]): void {
  if (flags.includes("--misses")) for (const miss of misses) console.error(miss);
  if (flags.includes("--json")) {
    console.log(JSON.stringify(rows));
    return;
  }
  for (const { name, value, bar, met } of rows) {
    const verdict = met ? "met" : "NOT MET";
    console.log(`${name.padEnd(28)}${value.toFixed(4)}   bar ${bar.toFixed(2)}   ${verdict}`);
  }
  console.log(counts);
}
