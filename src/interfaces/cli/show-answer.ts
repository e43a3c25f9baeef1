/** Shows an operation's data to people at a terminal. */
import type { Operation } from "../../operations/operation.ts";
import type { ViewPart, ViewTable } from "../../operations/view.ts";
import { printTable } from "./table.ts";
import { printFields, printJson, type Terminal } from "./terminal.ts";

export function showAnswer(
  terminal: Terminal,
  { view }: Pick<Operation, "view">,
  data: unknown,
): void {
  if (view) showParts(terminal, view(data));
  else printJson(terminal, data, 2);
}

export function showParts(terminal: Terminal, parts: readonly ViewPart[]): void {
  for (const [at, part] of parts.entries()) {
    if (typeof part === "string") {
      if (part !== "") terminal.note(part);
    } else if (part.table) showTable(terminal, part.table);
    else {
      const lines = part.lines().filter((line) => line !== "");
      if (lines.length > 0) terminal.result(...(at > 0 ? [""] : []), ...lines);
    }
  }
}

function showTable(terminal: Terminal, { title, headings, rows }: ViewTable): void {
  const shown = rows();
  if (shown.length === 0) return;
  if (title !== undefined) terminal.result("", title);
  if (headings) printTable(terminal, headings, shown);
  else printFields(terminal, shown);
}
