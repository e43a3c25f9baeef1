import { decodeGitText } from "../../../src/ingest/git/git-command.ts";
import { assessMessage, getSubject } from "../../../src/ingest/git/read/assess-message.ts";
import { Agreement } from "./agreement.ts";
import { askGit } from "./ask-git.ts";

/** The part of commitlint that is used. Its types are missing, because it is installed only beside this script. */
type Lint = (
  message: string,
  rules: Readonly<Record<string, readonly [number, string, (readonly string[])?]>>,
  options: {
    readonly defaultIgnores: boolean;
    readonly parserOpts: {
      readonly headerPattern: RegExp;
      readonly headerCorrespondence: readonly string[];
    };
  },
) => Promise<{ readonly valid: boolean }>;

/** @returns undefined where commitlint is not installed. */
export async function findCommitlint(): Promise<Lint | undefined> {
  const name = "@commitlint/lint";
  try {
    return ((await import(name)) as { default: Lint }).default;
  } catch {
    return undefined;
  }
}

const types = "build chore ci docs feat fix perf refactor revert style test".split(" ");
/** The level at which commitlint calls a message invalid. */
const error = 2;
const rules = {
  "type-enum": [error, "always", types],
  "type-empty": [error, "never"],
  "subject-empty": [error, "never"],
} as const;

/** How commitlint's conventional configuration reads a header. Its default does not accept `!` for a breaking change. */
const options = {
  defaultIgnores: false,
  parserOpts: {
    headerPattern: /^(\w*)(?:\((.*)\))?!?: (.*)$/,
    headerCorrespondence: ["type", "scope", "subject"],
  },
};

/** Compares the semantic form of every non-merge message that HEAD reaches with commitlint's verdict. */
export async function compareSemantic(
  path: string,
  lint: Lint,
): Promise<{ agreement: Agreement; misses: string[] }> {
  const agreement = new Agreement("git.semantic.agreement", 0.999);
  const misses: string[] = [];
  for (const message of messagesOf(path)) {
    const ours = assessMessage(message).semantic;
    const { valid } = await lint(message, rules, options);
    agreement.count(ours === valid);
    if (ours === valid) continue;
    const verdict = ours ? "semantic only for Roster" : "semantic only for commitlint";
    misses.push(`${verdict}: ${JSON.stringify(getSubject(message))}`);
  }
  return { agreement, misses };
}

function messagesOf(path: string): string[] {
  const output = askGit(path, ["log", "-z", "--no-merges", "--format=%B", "HEAD"]);
  const messages: string[] = [];
  let from = 0;
  for (let nul = output.indexOf(0); nul !== -1; nul = output.indexOf(0, from)) {
    messages.push(decodeGitText(output.subarray(from, nul)));
    from = nul + 1;
  }
  if (from < output.length) messages.push(decodeGitText(output.subarray(from)));
  return messages;
}
