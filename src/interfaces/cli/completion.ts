import type { Command } from "commander";
import type { Terminal } from "./terminal.ts";

export async function addCompletion(program: Command, terminal: Terminal): Promise<void> {
  const [{ default: add }, { default: completions }] = await Promise.all([
    import("@bomb.sh/tab/commander"),
    import("@bomb.sh/tab"),
  ]);
  add(program);
  const setUp = completions.setup.bind(completions);
  completions.setup = (name, executable, shell) => {
    const script = captureLog(() => setUp(name, executable, shell));
    terminal.result(...(shell === "bash" ? mendBash(script) : script).split("\n"));
  };
}

/** @returns what `print` writes with `console.log`. */
function captureLog(print: () => void): string {
  const { log } = console;
  const lines: unknown[] = [];
  console.log = (line: unknown) => lines.push(line);
  try {
    print();
  } finally {
    console.log = log;
  }
  return lines.join("\n");
}

/** Makes the script loadable twice, and adds a function that it otherwise needs from bash-completion. */
function mendBash(script: string): string {
  return `${script.replaceAll(/^readonly /gm, "")}\n${wordsWithoutBashCompletion}`;
}

const wordsWithoutBashCompletion = `# Stands in where bash-completion is not loaded.
declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
    words=("\${COMP_WORDS[@]}")
    cword=$COMP_CWORD
    cur=\${COMP_WORDS[COMP_CWORD]}
    prev=\${COMP_WORDS[COMP_CWORD - 1]}
}`;
