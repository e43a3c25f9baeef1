/** People and decisions for somebody at a terminal; scripts take --json. */

import type { KnownIdentity } from "../../../../ingest/ingest.ts";
import type { IdentityDecisionRecord } from "../../../../pool/pool.ts";
import { printJson, printTable, type Terminal } from "../../terminal.ts";

export function showIdentity(terminal: Terminal, known: KnownIdentity): void {
  const { login, derivedLogin, class: kind, classReason, accounts, spellings, joins } = known;
  const told = [
    kind === "human" ? "" : `${kind}: ${classReason}`,
    derivedLogin ? "login made from the e-mail" : accounts.join(", "),
  ];
  terminal.result(`${login} (${told.filter(Boolean).join("; ")})`);
  printTable(
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
  printTable(
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
  decisions: readonly IdentityDecisionRecord[],
  asJson: boolean,
): void {
  if (asJson) printJson(terminal, decisions);
  else if (decisions.length === 0) terminal.note("nothing was decided yet");
  else {
    printTable(
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
