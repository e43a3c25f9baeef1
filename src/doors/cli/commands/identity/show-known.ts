/** People and decisions for somebody at a terminal; scripts take --json. */

import type { Known } from "../../../../ingest/ingest.ts";
import type { Decision } from "../../../../pool/pool.ts";
import { json, type Terminal, table } from "../../terminal.ts";

export function showKnown(terminal: Terminal, known: Known): void {
  const { login, derivedLogin, class: kind, classReason, accounts, spellings, joins } = known;
  const told = [
    kind === "human" ? "" : `${kind}: ${classReason}`,
    derivedLogin ? "login made from the e-mail" : accounts.join(", "),
  ];
  terminal.result(`${login} (${told.filter(Boolean).join("; ")})`);
  table(
    terminal,
    ["  name", "e-mail", "in commits", "commits", "repositories"],
    spellings.map(({ name, email, commitEmail, commits, repositories }) => [
      `  ${name}`,
      email,
      commitEmail ?? "",
      String(commits),
      repositories.join(", "),
    ]),
  );
  if (joins.length === 0) return;
  terminal.result("", "one person, because of");
  table(
    terminal,
    ["  evidence", "where", "one", "other"],
    joins.map(({ evidence, detail, spellings: [one, other] }) => [
      `  ${evidence}`,
      detail,
      one,
      other,
    ]),
  );
}

export function showDecisions(
  terminal: Terminal,
  decisions: readonly Decision[],
  asJson: boolean,
): void {
  if (asJson) json(terminal, decisions);
  else if (decisions.length === 0) terminal.note("nothing was decided yet");
  else {
    table(
      terminal,
      ["decision", "at", "by", "says", "one", "other", "reason", "evidence"],
      decisions.map(({ id, at, by, kind, a, b, reason, evidence }) => [
        id,
        at,
        by,
        kind === "same" ? "one person" : "two people",
        a,
        b,
        reason ?? "",
        evidence.join("; "),
      ]),
    );
  }
}
