import { type PackedDeveloper, packDeveloper } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { parseFacts } from "../parse-facts.ts";
import type { RejectedLine } from "../refusal.ts";

/** @package What became of one line, in a form that threads can send. */
export type JudgedLine =
  | { readonly row: PackedDeveloper }
  | { readonly complaint: Omit<RejectedLine, "line"> };

/** @package */
export function assessLine(text: string, judge: Judge): JudgedLine {
  const parsed = parseFacts(text);
  return "complaint" in parsed ? parsed : { row: packDeveloper(judge(parsed.facts)) };
}
