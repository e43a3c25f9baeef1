/** Writes notes of git-ai into invented repositories, byte for byte. */
import { run } from "../invented-repository.ts";

interface InventedNote {
  readonly base: string;
  /** By path, the lines of each key, such as `1-4,9`. */
  readonly files?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Sessions by id, and prompts as old versions have them by key: the tool of each. */
  readonly sessions?: Readonly<Record<string, string>>;
  readonly prompts?: Readonly<Record<string, string>>;
}

export const session = "s_c9883b05a2487d";
export const trace = "t_9f8e7d6c5b4a32";
export const human = "h_31dce776f88375";

export function composeNote({
  base,
  files = {},
  sessions = {},
  prompts = {},
}: InventedNote): string {
  const agent = (tool: string) => ({
    agent_id: { tool, id: "conversation-secret", model: "model-secret" },
    human_author: "Secret Person <secret@example.com>",
  });
  const describe = (some: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(some).map(([id, tool]) => [id, agent(tool)]));
  const attested = Object.entries(files).flatMap(([path, entries]) => [
    path.includes(" ") ? `"${path}"` : path,
    ...Object.entries(entries).map(([key, lines]) => `  ${key} ${lines}`),
  ]);
  const metadata = {
    ...{ schema_version: "authorship/3.0.0", git_ai_version: "1.6.0", base_commit_sha: base },
    prompts: describe(prompts),
    sessions: describe(sessions),
    humans: { [human]: { author: "Secret Person <secret@example.com>" } },
  };
  return [...attested, "---", JSON.stringify(metadata, undefined, 2)].join("\n");
}

/** What a session of an agent says that wrote all lines of one file. */
export function composeAgentNote(
  base: string,
  path: string,
  lines: string,
  tool = "claude",
): string {
  const files = { [path]: { [`${session}::${trace}`]: lines } };
  return composeNote({ base, files, sessions: { [session]: tool } });
}

export function addNote(repository: string, commit: string, text: string | Buffer): void {
  const blob = run(repository, ["hash-object", "-w", "--stdin"], Buffer.from(text))
    .toString()
    .trim();
  note(repository, "add", "--force", "-C", blob, commit);
}

export function removeNote(repository: string, commit: string): void {
  note(repository, "remove", commit);
}

export function removeNotes(repository: string): void {
  run(repository, ["update-ref", "-d", "refs/notes/ai"]);
}

function note(repository: string, ...args: string[]): void {
  const who = ["-c", "user.name=Notes", "-c", "user.email=notes@example.com"];
  run(repository, [...who, "notes", "--ref=ai", ...args]);
}

/** Ids of the commits of HEAD, oldest first. */
export function listCommits(repository: string): readonly string[] {
  return run(repository, ["rev-list", "--reverse", "HEAD"]).toString().trim().split("\n");
}
