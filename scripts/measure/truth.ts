import { truthOfAgents } from "./truth-agents.ts";
import { truthOfAliases } from "./truth-aliases.ts";
import { truthOfBots } from "./truth-bots.ts";
import { truthOfDates } from "./truth-dates.ts";
import { truthOfGit } from "./truth-git.ts";
import { truthOfMessages } from "./truth-messages.ts";
import { truthOfPairs } from "./truth-pairs.ts";
import { truthOfPeople } from "./truth-people.ts";
import { truthOfPlaces } from "./truth-places.ts";
import { truthOfPool } from "./truth-pool.ts";
import { type Truth, type TruthRow, UnreadableTruth } from "./truth-report.ts";
import { truthOfWho } from "./truth-who.ts";

interface Subcommand {
  readonly from: number;
  readonly to: number;
  readonly score: (paths: readonly string[], flags: readonly string[]) => Promise<Truth>;
}

/** How many paths each takes; `pool` takes a seed, or none. */
const truths: Record<string, Subcommand> = {
  agents: { from: 1, to: Number.POSITIVE_INFINITY, score: truthOfAgents },
  places: { from: 1, to: 1, score: ([file = ""]) => truthOfPlaces(file) },
  messages: { from: 1, to: 1, score: ([file = ""]) => truthOfMessages(file) },
  git: { from: 1, to: Number.POSITIVE_INFINITY, score: truthOfGit },
  aliases: {
    from: 1,
    to: Number.POSITIVE_INFINITY,
    score: (paths, flags) =>
      truthOfAliases(paths, {
        half: halves.find((half) => flags.includes(`--${half}`)),
        isTogether: flags.includes("--together"),
      }),
  },
  bots: {
    from: 1,
    to: Number.POSITIVE_INFINITY,
    score: ([file = "", ...paths]) => truthOfBots(file, paths),
  },
  pairs: { from: 1, to: Number.POSITIVE_INFINITY, score: truthOfPairs },
  dates: { from: 1, to: Number.POSITIVE_INFINITY, score: truthOfDates },
  people: {
    from: 1,
    to: Number.POSITIVE_INFINITY,
    score: (paths, flags) => truthOfPeople(paths, { ledger: findValue(flags, "--ledger") }),
  },
  who: { from: 1, to: Number.POSITIVE_INFINITY, score: truthOfWho },
  pool: { from: 0, to: 1, score: ([seed]) => truthOfPool(seed) },
};

const usage =
  "Usage: scripts/truth places FILE | messages FILE | git PATH... | aliases PATH... [--seen|--unseen] [--together] | " +
  "bots FILE [PATH...] | pairs FILE... | dates PATH... | agents PATH... | people PATH... [--ledger=FILE] | who PATH... | " +
  "pool [SEED] [--json] [--misses]";
const halves = ["seen", "unseen"];
const known = ["--json", "--misses"];
const ofTruth: Record<string, readonly string[]> = {
  aliases: ["--together", ...halves.map((half) => `--${half}`)],
  people: ["--ledger"],
};

if (import.meta.main) process.exitCode = await main(Bun.argv.slice(2));

/** @returns the exit code: 0 when all bars are met, 3 when not, 2 when the command or the file is wrong. */
async function main(args: readonly string[]): Promise<number> {
  const flags = args.filter((arg) => arg.startsWith("--"));
  const [name = "", ...paths] = args.filter((arg) => !arg.startsWith("--"));
  const truth = truths[name];
  const allowed = [...known, ...(ofTruth[name] ?? [])];
  const unknown = flags.find((flag) => !allowed.includes(flag.replace(/=.*/, "")));
  if (!truth || paths.length < truth.from || paths.length > truth.to || unknown) {
    console.error(unknown ? `Unknown flag ${unknown}.\n${usage}` : usage);
    return 2;
  }
  try {
    const found = await truth.score(paths, flags);
    show(found, flags);
    return found.rows.every((row) => row.met) ? 0 : 3;
  } catch (thrown) {
    if (!(thrown instanceof UnreadableTruth)) throw thrown;
    console.error(thrown.message);
    return 2;
  }
}

function findValue(flags: readonly string[], name: string): string | undefined {
  return flags.find((flag) => flag.startsWith(`${name}=`))?.slice(name.length + 1);
}

function show(found: Truth, flags: readonly string[]): void {
  const { rows, parts = [], counts, misses, skipped = [], listing = [] } = found;
  if (flags.includes("--misses")) for (const miss of misses) console.error(miss);
  for (const reason of skipped) console.error(`SKIPPED ${reason}`);
  if (flags.includes("--json")) {
    console.log(JSON.stringify(rows));
    return;
  }
  for (const line of listing) console.log(line);
  if (parts.length > 1) for (const part of parts) showRows(part.rows, part.name);
  showRows(rows, parts.length > 1 ? "all together" : undefined);
  console.log(counts);
}

function showRows(rows: readonly TruthRow[], title: string | undefined): void {
  if (title) console.log(title);
  const width = Math.max(26, ...rows.map(({ name }) => name.length)) + 2;
  for (const { name, value, bar, met } of rows) {
    const verdict =
      bar === 0 ? "no bar" : `bar ${String(bar).padEnd(5)}   ${met ? "met" : "NOT MET"}`;
    const figures = `${value.toFixed(4)}   ${verdict}`;
    console.log(`${title ? "  " : ""}${name.padEnd(width)}${figures}`);
  }
}
