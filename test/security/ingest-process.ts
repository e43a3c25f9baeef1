/** Runs `ingest git` as its users do, in a process of its own whose memory can be told. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readOutput } from "../child-output.ts";
import { program } from "../faults/server-process.ts";

interface Ran {
  readonly code: number;
  readonly err: string;
  /** Commits by the last part of the path. */
  readonly read: Readonly<Record<string, number>>;
  /** Reasons by the last part of the path. */
  readonly refused: Readonly<Record<string, string>>;
  /** The most that Roster, or any one git process that it started, held at a time. */
  readonly peakMiB: number;
}

interface Summary {
  readonly repositories: readonly { readonly path: string; readonly commits: number }[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

const measured = join(import.meta.dir, "measured-process.ts");

export function startIngest(
  data: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const peakFile = `${data}.peak`;
  const ingest = [...program, "ingest", "git", "--data", data, "--json", ...args];
  const child = Bun.spawn([process.execPath, measured, peakFile, ...ingest], {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const ended = async (): Promise<Ran> => {
    const { out, err, code } = await readOutput(child);
    // An interrupted run answers with a refusal.
    const answer = out ? (JSON.parse(out) as Partial<Summary>) : {};
    const summary: Summary = { repositories: [], refused: [], ...answer };
    const name = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
    return {
      code,
      err,
      read: Object.fromEntries(
        summary.repositories.map(({ path, commits }) => [name(path), commits]),
      ),
      refused: Object.fromEntries(summary.refused.map(({ path, reason }) => [name(path), reason])),
      peakMiB: Number(readFileSync(peakFile, "utf8")) / 1024 / 1024,
    };
  };
  return { child, ended };
}
