/** Writes the entries of the audit log as sentences. The log has only ids; names are found here, until the person is erased. */
import type { AuditAction, AuditEntry } from "../../../control/account-records.ts";
import { formatBytes, formatCounted, formatDate, formatPeople } from "../look/format.ts";
import type { Children } from "../look/jsx-runtime.ts";
import { EmailAddress } from "../look/parts.tsx";
import type { SignedInRequest } from "../page.ts";
import type { DecisionLine, RunOrder } from "./administration.ts";
import { Decided } from "./decisions-page.tsx";

const ownNames: Readonly<Record<string, string>> = {
  operator: "The operator",
  store: "Roster",
  server: "Roster",
};

export type AuditNames = Awaited<ReturnType<typeof findAuditNames>>;

export async function findAuditNames({ modules }: SignedInRequest, entries: readonly AuditEntry[]) {
  const { accounts, administration } = modules;
  const about = entries.filter(({ action }) => action.startsWith("identity."));
  const [list, clients, lines] = await Promise.all([
    accounts.list(),
    accounts.clients.list(),
    administration.decisions.find(about.map(({ subject }) => subject)),
  ]);
  const emails = new Map(list.map(({ id, email }) => [id, email]));
  const clientNames = new Map(clients.map(({ clientId, name }) => [clientId, name]));
  const decisions = new Map<string, DecisionLine>(lines.map((line) => [line.id, line]));
  const runs = new Set(administration.runs.list().map(({ id }) => id));
  const account = (id: string): Children => {
    const email = emails.get(id);
    if (id === "operator") return "the operator";
    if (email === undefined) return <EmailAddress email={id} />;
    return (
      <a href={`/admin/accounts/${encodeURIComponent(id)}`}>
        <EmailAddress email={email} />
      </a>
    );
  };
  return {
    account,
    actor: (id: string) => ownNames[id] ?? account(id),
    /** The two people of a decision; undefined if the decision was erased. */
    decided: (id: string): Children => {
      const line = decisions.get(id);
      return line && <Decided people={line.people} />;
    },
    isUndone: (id: string) => decisions.get(id)?.undoneAt !== undefined,
    assistant: (id: string): Children => {
      const name = clientNames.get(id);
      return name === undefined ? "an assistant" : `the assistant ${name}`;
    },
    /** A run. If the page of runs lists it, its name is a link. */
    run: (id: string, title: string): Children =>
      runs.has(id) ? <a href="/admin/runs">{title}</a> : title,
  };
}

/**
 * The sentences. Names in braces are keys of `words`. A sentence that begins with a small letter follows the actor. After `|`, it
 * says what an account did to itself.
 */
export const sentences: Readonly<Record<AuditAction, string | ((entry: AuditEntry) => string)>> = {
  "account.created": ({ subject, detail }) => {
    if (subject === "operator") return "Roster was set up";
    if (detail["by"] === "sign-up") return "signed up";
    if (typeof detail["provider"] === "string") return "{account} got an account by single sign-on";
    const role = detail["administrator"] === true ? ", as an administrator" : "";
    return `created the account {account} on the {plan} plan${role}`;
  },
  "account.disabled": "disabled the account {account}|disabled their own account",
  "account.enabled": "enabled the account {account}|enabled their own account",
  "key.made": "created an API key for {account}|created their API key",
  "key.regenerated": "replaced the API key of {account}|replaced their API key",
  "key.recovered": "recovered the API key of {account}|recovered their API key",
  "plan.changed": "changed the plan of {account}: {limits}",
  "link.made": "created {link} for {account}",
  "link.used": "used the link of {account}|used their link to choose a password",
  "password.changed": "changed the password of {account}|changed their password",
  "sign-in.refused": ({ subject }) =>
    subject === "nobody"
      ? "Sign-in refused: unknown e-mail"
      : "Sign-in as {account} refused: wrong password or disabled account",
  "session.opened": ({ detail: { by } }) =>
    by === "provider" ? "signed in by single sign-on" : "signed in",
  "session.replaced": "ended a session of {account}|signed in again in the same browser",
  "session.confirmed": "confirmed their password",
  "session.ended": "ended a session of {account}|signed out",
  "sessions.ended": "signed out all sessions of {account}|signed out their other sessions",
  "client.registered": "registered the assistant {name}",
  "client.removed": "removed a registered assistant",
  "grant.made": "connected {assistant}",
  "grant.refused": "refused {assistant}",
  "grant.revoked": ({ detail: { why } }) =>
    why === undefined
      ? "disconnected an assistant"
      : "Roster disconnected {assistant} of {actor}: {why}",
  "identity.merged": "merged {two}{undone}",
  "identity.split": "split {two}{undone}",
  "identity.undone": "undid the decision about {two}",
  "person.forgotten": "forgot a person: {erased}",
  "person.allowed": "allowed imports of a forgotten person",
  "erasures.repeated": "repeated {receipts}: an older copy contained {people}",
  "run.started": "started to {run}",
  "run.stopped": "stopped {any run}",
  "run.ended": "{actor}'s run to {run} {end}",
  "source.asked": "requested a read of {subject}",
  "source.added": "added the source {subject}",
  "source.changed": "changed the source {subject}",
  "source.removed": "removed the source {subject}",
  "source.hook_on": "turned on the push hook of {subject}",
  "source.hook_off": "turned off the push hook of {subject}",
  "webhook.added": "added the webhook to {host}",
  "webhook.removed": "removed the webhook to {host}",
  "list.added": "created a list",
  "list.removed": "removed a list",
  "search.added": "saved a search",
  "search.removed": "removed a saved search",
  "backup.made": ({ subject, detail: { people } }) =>
    subject === "database"
      ? "recorded a backup of the database"
      : typeof people === "number"
        ? "made a backup of {people}, {bytes}"
        : "made a backup, {bytes}",
  "backup.started": "started a backup",
  "backup.stopped": "stopped a backup",
  "backup.fetched": "downloaded the backup {subject}, {bytes}",
  "folder.restored": "restored the backup from {backup}",
  "store.loss": "found lost data: {what}",
  "store.loss_accepted": "accepted the loss of data: {what}",
  "clock.accepted": "accepted an earlier clock time",
};

const words: Readonly<Record<string, (entry: AuditEntry, names: AuditNames) => Children>> = {
  actor: ({ actor }, names) => names.actor(actor),
  account: ({ subject }, names) => names.account(subject),
  two: ({ subject }, names) => names.decided(subject) ?? "two people (names erased)",
  undone: ({ subject }, names) => names.isUndone(subject) && " (since undone)",
  assistant: ({ detail }, names) => names.assistant(String(detail["client"])),
  run: ({ subject, detail }, names) => names.run(subject, describeRun(detail)),
  "any run": ({ subject }, names) => names.run(subject, "a run"),
  end: ({ detail: { state } }) =>
    state === "done" ? "finished" : state === "stopped" ? "was stopped" : "failed",
  link: ({ detail: { purpose } }) =>
    ({ invitation: "an invitation", reset: "a password link" })[String(purpose)] ?? "a set-up link",
  limits: ({ detail }) => describePlan(detail),
  bytes: ({ detail }) => formatBytes(Number(detail["bytes"])),
  people: ({ detail: { people, developers } }) => formatPeople(Number(people ?? developers)),
  receipts: ({ detail }) => formatCounted(Number(detail["receipts"]), "erasure"),
  backup: ({ detail }) => formatDate(String(detail["backup"])),
  erased: ({ detail: { developers, rows } }) =>
    `${formatCounted(Number(developers), "profile")}, ${formatCounted(Number(rows), "entry", "entries")}`,
  subject: ({ subject }) => subject,
};

/** Describes an entry in a sentence without a full stop. An unknown action is shown as it is stored. */
export function describeEntry(entry: AuditEntry, names: AuditNames): Children {
  const { action, actor, subject, detail } = entry;
  const found =
    (sentences as Partial<typeof sentences>)[action as AuditAction] ??
    "{actor}: {action} {account}";
  const [did = "", own = did] = (typeof found === "string" ? found : found(entry)).split("|");
  const sentence = actor === subject ? own : did;
  const parts = `${/^[a-z]/.test(sentence) ? "{actor} " : ""}${sentence}`.split(/[{}]/);
  const shown = parts.map((part, at) =>
    at % 2 === 0
      ? part
      : (words[part]?.(entry, names) ?? String(part === "action" ? action : (detail[part] ?? ""))),
  );
  return <>{shown}</>;
}

const runDeeds: Readonly<Record<RunOrder["kind"], string>> = {
  ...{ ingest: "read git histories", recount: "recheck identities", rescore: "update all scores" },
  ...{ merge: "merge two people", split: "split two people", undo: "undo an identity decision" },
  ...{ forget: "forget a person", refresh: "read a source", forgetSource: "forget a source" },
};

function describeRun({ kind, path, source, repositories }: AuditEntry["detail"]): string {
  const deed = (runDeeds as Readonly<Record<string, string>>)[String(kind)] ?? String(kind);
  if (typeof path === "string") return `${deed} in ${path}`;
  if (typeof source === "string") return deed.replace("a source", `the source ${source}`);
  if (typeof repositories !== "number") return deed;
  return `${deed} of ${formatCounted(repositories, "repository", "repositories")}`;
}

function describePlan({ plan, callsPerMonth, callsPerDay }: AuditEntry["detail"]): string {
  const own = [
    [callsPerMonth, "a month"],
    [callsPerDay, "a day"],
  ].flatMap(([calls, each]) =>
    typeof calls === "number"
      ? `${calls < 0 ? "unlimited calls" : formatCounted(calls, "call")} ${each}`
      : [],
  );
  return [String(plan), ...own].join(", ");
}
