/** Writes the entries of the audit log as sentences. The log has only ids; names are found here, until the person is erased. */
import type { AuditAction, AuditEntry } from "../../../control/account-records.ts";
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatDate,
  formatPeople,
} from "../look/format.ts";
import type { Children } from "../look/jsx-runtime.ts";
import { EmailAddress } from "../look/parts.tsx";
import type { SignedInRequest } from "../page.ts";
import type { DecisionLine, RunOrder } from "./administration.ts";
import { Decided } from "./decisions-page.tsx";

export interface AuditNames {
  /** Names the actor at the beginning of a sentence: an account, the operator, or Roster itself. */
  actor(id: string): Children;
  account(id: string): Children;
  /** Names the two people of a decision; undefined if the decision was erased. */
  decided(id: string): Children | undefined;
  isUndone(decision: string): boolean;
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
  const [list, clients, lines] = await Promise.all([
    accounts.list(),
    accounts.clients.list(),
    administration.decisions.find(about.map(({ subject }) => subject)),
  ]);
  const emails = new Map(list.map(({ id, email }) => [id, email]));
  const clientNames = new Map(clients.map(({ clientId, name }) => [clientId, name]));
  const decisions = new Map<string, DecisionLine>(lines.map((line) => [line.id, line]));
  const runs = new Set(administration.runs.list().map(({ id }) => id));
  const account = (id: string) => {
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
    actor: (id) => ownNames[id] ?? account(id),
    decided: (id) => {
      const line = decisions.get(id);
      return line && <Decided people={line.people} />;
    },
    isUndone: (id) => decisions.get(id)?.undoneAt !== undefined,
    assistant: (id) => {
      const name = clientNames.get(id);
      return name === undefined ? "an assistant" : `the assistant ${name}`;
    },
    run: (id, title) => (runs.has(id) ? <a href="/admin/runs">{title}</a> : title),
  };
}

/** Writes an entry as a sentence without a full stop. */
type Sentence = (entry: AuditEntry, names: AuditNames) => Children;

/** Writes the sentence about an action on an account. @param own the verb if the account acts on itself. */
const acted =
  (did: string, own: string): Sentence =>
  ({ actor, subject }, names) => (
    <>
      {names.actor(actor)} {actor === subject ? own : did}
      {actor !== subject && <> {names.account(subject)}</>}
    </>
  );

type Deed = (detail: AuditEntry["detail"], subject: string, names: AuditNames) => Children;

/** Writes the sentence about an action. @param what what the actor did. */
const did =
  (what: string | Deed): Sentence =>
  ({ actor, subject, detail }, names) => (
    <>
      {names.actor(actor)} {typeof what === "string" ? what : what(detail, subject, names)}
    </>
  );

const changedSource = (deed: string) => did((_, subject) => `${deed} ${subject}`);

const undid = "undid the decision about";

/** Writes the sentence about a decision. @param unnamed stands for the two people if their names were erased. */
const decided = (verb: string, rest = "", unnamed = "two people") =>
  did((_, subject, names) => {
    const two = names.decided(subject);
    const isUndone = verb !== undid && names.isUndone(subject);
    return [
      `${verb} `,
      two ?? unnamed,
      rest,
      two === undefined && " (names erased)",
      isUndone && " (since undone)",
    ];
  });

export const sentences: Readonly<Record<AuditAction, Sentence>> = {
  "account.created": (entry, names) => {
    const { actor, subject, detail } = entry;
    if (subject === "operator") return "Roster was set up";
    if (detail["by"] === "sign-up") return <>{names.actor(actor)} signed up</>;
    const isProvided = typeof detail["provider"] === "string";
    if (isProvided) return <>{names.account(subject)} got an account by single sign-on</>;
    return (
      <>
        {names.actor(actor)} created the account {names.account(subject)} on the{" "}
        {String(detail["plan"])} plan
        {detail["administrator"] === true && ", as an administrator"}
      </>
    );
  },
  "account.disabled": acted("disabled the account", "disabled their own account"),
  "account.enabled": acted("enabled the account", "enabled their own account"),
  "key.made": acted("created an API key for", "created their API key"),
  "key.regenerated": acted("replaced the API key of", "replaced their API key"),
  "key.recovered": acted("recovered the API key of", "recovered their API key"),
  "plan.changed": did((detail, subject, names) => [
    "changed the plan of ",
    names.account(subject),
    `: ${describePlan(detail)}`,
  ]),
  "link.made": did(({ purpose }, subject, names) => [
    `created ${linkPurposes[String(purpose)] ?? "a link for"} `,
    names.account(subject),
  ]),
  "link.used": acted("used the link of", "used their link to choose a password"),
  "password.changed": acted("changed the password of", "changed their password"),
  "sign-in.refused": ({ subject }, names) =>
    subject === "nobody" ? (
      "Sign-in refused: unknown e-mail"
    ) : (
      <>Sign-in as {names.account(subject)} refused: wrong password or disabled account</>
    ),
  "session.opened": did(({ by }) => `signed in${by === "provider" ? " by single sign-on" : ""}`),
  "session.replaced": acted("ended a session of", "signed in again in the same browser"),
  "session.confirmed": did("confirmed their password"),
  "session.ended": acted("ended a session of", "signed out"),
  "sessions.ended": acted("signed out all sessions of", "signed out their other sessions"),
  "client.registered": did(({ name }) => `registered the assistant ${name ?? ""}`.trim()),
  "client.removed": did("removed a registered assistant"),
  "grant.made": did(({ client }, _, names) => ["connected ", names.assistant(String(client))]),
  "grant.refused": did(({ client }, _, names) => ["refused ", names.assistant(String(client))]),
  "grant.revoked": (entry, names) => {
    const { actor, detail } = entry;
    if (detail["why"] === undefined) return <>{names.actor(actor)} disconnected an assistant</>;
    const assistant = names.assistant(String(detail["client"]));
    return (
      <>
        Roster disconnected {assistant} of {names.account(actor)}: {String(detail["why"])}
      </>
    );
  },
  "identity.merged": decided("merged"),
  "identity.split": decided("split", " into two people", "one person"),
  "identity.undone": decided(undid),
  "person.forgotten": did((detail) => `forgot a person: ${describeErased(detail)}`),
  "person.allowed": did("allowed imports of a forgotten person"),
  "erasures.repeated": did(
    ({ receipts, developers }) =>
      `repeated ${formatCounted(Number(receipts), "erasure")}: an older copy contained ${formatPeople(Number(developers)).toLowerCase()}`,
  ),
  "run.started": did((detail, subject, names) => [
    "started to ",
    names.run(subject, describeRun(detail)),
  ]),
  "run.stopped": did((_, subject, names) => ["stopped ", names.run(subject, "a run")]),
  "run.ended": ({ actor, subject, detail }, names) => (
    <>
      {names.actor(actor)}'s run to {names.run(subject, describeRun(detail))}{" "}
      {runEnds[String(detail["state"])] ?? "ended"}
    </>
  ),
  "source.asked": changedSource("requested a read of"),
  "source.added": changedSource("added the source"),
  "source.changed": changedSource("changed the source"),
  "source.removed": changedSource("removed the source"),
  "source.hook_on": changedSource("turned on the push hook of"),
  "source.hook_off": changedSource("turned off the push hook of"),
  "list.added": did("created a list"),
  "list.removed": did("removed a list"),
  "search.added": did("saved a search"),
  "search.removed": did("removed a saved search"),
  "backup.made": did(({ people, bytes }) => {
    const what =
      people === null || people === undefined ? "" : ` of ${formatPeople(Number(people))}`;
    return `made a backup${what}, ${formatBytes(Number(bytes))}`;
  }),
  "backup.started": did("started a backup"),
  "backup.stopped": did("stopped a backup"),
  "backup.fetched": did(
    ({ bytes }, subject) => `downloaded the backup ${subject}, ${formatBytes(Number(bytes))}`,
  ),
  "folder.restored": did(({ backup }) => `restored the backup from ${formatDate(String(backup))}`),
  "store.loss": did(({ what }) => `found lost data: ${what}`),
  "store.loss_accepted": did(({ what }) => `accepted the loss of data: ${what}`),
  "clock.accepted": did("accepted an earlier clock time"),
};

/** Describes an entry in a sentence. An unknown action is shown as it is stored. */
export function describeEntry(entry: AuditEntry, names: AuditNames): Children {
  const sentence = (sentences as Readonly<Record<string, Sentence>>)[entry.action];
  if (sentence) return sentence(entry, names);
  return (
    <>
      {names.actor(entry.actor)}: {entry.action} {names.account(entry.subject)}
    </>
  );
}

const linkPurposes: Readonly<Record<string, string>> = {
  "set-up": "a set-up link for",
  invitation: "an invitation for",
  reset: "a password link for",
};

const runEnds: Readonly<Record<string, string>> = {
  done: "finished",
  stopped: "was stopped",
  failed: "failed",
};

const runDeeds: Readonly<Record<RunOrder["kind"], string>> = {
  ingest: "read git histories",
  recount: "recheck identities",
  rescore: "update all scores",
  merge: "merge two people",
  split: "split two people",
  undo: "undo an identity decision",
  forget: "forget a person",
  refresh: "read a source",
  forgetSource: "forget a source",
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

function describeErased({ developers, rows }: AuditEntry["detail"]): string {
  return `${formatCounted(Number(developers), "profile")}, ${formatCount(Number(rows))} entries`;
}
