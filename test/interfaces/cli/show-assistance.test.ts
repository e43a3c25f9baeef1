import { expect, test } from "bun:test";
import { showParts } from "../../../src/interfaces/cli/show-answer.ts";
import type { Terminal } from "../../../src/interfaces/cli/terminal.ts";
import { listAssistance } from "../../../src/operations/analysis-view.ts";
import { commits, judged, monthsUpTo, someone } from "../../analysis/someone.ts";

function shown(facts: Parameters<typeof judged>[0]): string {
  const lines: string[] = [];
  const terminal = { result: (...some: string[]) => lines.push(...some) };
  const { analysis } = judged(facts);
  showParts(terminal as unknown as Terminal, [{ lines: () => listAssistance(analysis) }]);
  return lines.join("\n");
}

test("an analysis shows what assistants took part in, and credit of others", () => {
  const volume = monthsUpTo("2026-10", 2, 10);
  const assisted = { total: 5, volume: { "2026-10": 5 }, agents: { claude: 5 } };
  const credits = { signedOff: { count: 3, first: "2026-01-02", last: "2026-02-03" } };
  const text = shown(someone({ commits: commits({ volume, assisted }), credits }));
  expect(text).toContain("5 of 20 counted commits say that an assistant took part (Claude 5).\n");
  expect(text).not.toContain("Most assistance");
  expect(text).toContain("Signed off 3 commits of others, 2 Jan 2026 to 3 Feb 2026.");
});

test("nothing is shown where there is nothing to tell", () => {
  expect(shown(someone())).toBe("");
});
