/** Finds names for the ids in the audit log. The log itself contains no names, so that it does not name an erased person. */
import type { AuditEntry } from "../../../control/account-records.ts";
import type { Children } from "../look/jsx-runtime.ts";
import { EmailAddress } from "../look/parts.tsx";
import type { SignedInRequest } from "../page.ts";
import { Decided } from "./decision-parts.tsx";

export interface AuditNames {
  /** Names the actor at the beginning of a sentence: an account, the operator, or Roster itself. */
  actor(id: string): Children;
  account(id: string): Children;
  /** Names the two people of a decision; undefined if the decision was undone or erased. */
  decided(id: string): Children | undefined;
  assistant(id: string): Children;
  /** Names a run. If the page of runs lists the run, its name is a link. */
  run(id: string, title: string): Children;
}

const ownNames: Readonly<Record<string, string>> = {
  operator: "The operator",
  store: "Roster",
  server: "Roster",
};

export async function findAuditNames(
  { modules }: SignedInRequest,
  entries: readonly AuditEntry[],
): Promise<AuditNames> {
  const { accounts, administration } = modules;
  const about = entries.filter(({ action }) => action.startsWith("identity."));
  const decisions = about.map(({ subject }) => subject);
  const [list, clients, lines] = await Promise.all([
    accounts.list(),
    accounts.clients.list(),
    decisions.length === 0 ? [] : administration.decisions.find(decisions),
  ]);
  const emails = new Map(list.map(({ id, email }) => [id, email]));
  const clientNames = new Map(clients.map(({ clientId, name }) => [clientId, name]));
  const linesById = new Map(lines.map((line) => [line.id, line]));
  const runs = new Set(administration.runs.list().map(({ id }) => id));
  const account = (id: string) => {
    const email = emails.get(id);
    if (email === undefined)
      return id === "operator" ? "the operator" : <EmailAddress email={id} />;
    return (
      <a href={`/admin/accounts/${encodeURIComponent(id)}`}>
        <EmailAddress email={email} />
      </a>
    );
  };
  return {
    account,
    actor: (id) => ownNames[id] ?? account(id),
    decided: (id) => {
      const line = linesById.get(id);
      return line && <Decided people={line.people} />;
    },
    assistant: (id) => {
      const name = clientNames.get(id);
      return name === undefined ? "an assistant" : `the assistant ${name}`;
    },
    run: (id, title) => (runs.has(id) ? <a href="/admin/runs">{title}</a> : title),
  };
}
