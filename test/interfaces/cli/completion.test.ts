/** The scripts that shells read, in the real bash. */
import { expect, test } from "bun:test";
import { program } from "../../faults/server-process.ts";

function bash(script: string): { readonly out: string; readonly err: string } {
  const roster = `roster() { ${program.map((part) => `"${part}"`).join(" ")} "$@"; }\n`;
  const ran = Bun.spawnSync(["bash", "--norc", "-c", roster + script], { timeout: 60_000 });
  return { out: ran.stdout.toString(), err: ran.stderr.toString() };
}

// Outside a completion there are no options of one to set.
const complete = (words: string) => `
  compopt() { :; }
  COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  __roster_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;

test("bash reads its script twice without a word, and completes without bash-completion", () => {
  const read = 'script=$(roster complete bash); eval "$script"; eval "$script";';
  const { out, err } = bash(read + complete('roster "ing"'));
  expect({ out: out.trim(), err }).toEqual({ out: "ingest", err: "" });
});

test("the other shells have scripts of their own", () => {
  for (const shell of ["zsh", "fish"]) {
    const { out, err } = bash(`roster complete ${shell}`);
    expect(err).toBe("");
    expect(out).toContain("roster");
  }
});
