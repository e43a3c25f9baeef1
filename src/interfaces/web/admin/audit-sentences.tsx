import type { AuditAction, AuditEntry } from "../../../control/account-records.ts";
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatDate,
  formatPeople,
} from "../look/format.ts";
import type { Children } from "../look/jsx-runtime.ts";
import type { RunOrder } from "./administration.ts";
import type { AuditNames } from "./audit-names.tsx";

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

const decided =
  (verb: string, unnamed: string, rest: string): Sentence =>
  ({ actor, subject }, names) => {
    const two = names.decided(subject);
    return (
      <>
        {names.actor(actor)} {verb} {two ?? unnamed} {rest}
        {two === undefined && ", which was undone or erased since"}
      </>
    );
  };

export const sentences: Readonly<Record<AuditAction, Sentence>> = {
  "account.created": (entry, names) => {
    const { actor, subject, detail } = entry;
    if (subject === "operator") return "Roster was set up, with an account of the operator's own";
    if (detail["by"] === "sign-up") return <>{names.actor(actor)} signed up</>;
    const isProvided = typeof detail["provider"] === "string";
    if (isProvided) return <>{names.account(subject)} came by single sign-on, and got an account</>;
    const plan = `on the plan ${detail["plan"]}`;
    return (
      <>
        {names.actor(actor)} made the account {names.account(subject)} {plan}
        {detail["administrator"] === true && ", as an administrator"}
      </>
    );
  },
  "account.disabled": acted("disabled the account", "disabled their own account"),
  "account.enabled": acted("enabled the account", "enabled their own account"),
  "key.made": acted("made an API key for", "made their API key"),
  "key.regenerated": acted("replaced the API key of", "replaced their API key"),
  "key.recovered": acted("recovered the API key of", "recovered their API key"),
  "plan.changed": did((detail, subject, names) => [
    "changed the plan of ",
    names.account(subject),
    `: ${describePlan(detail)}`,
  ]),
  "link.made": did(({ purpose }, subject, names) => [
    `made a link ${linkPurposes[String(purpose)] ?? "for"} `,
    names.account(subject),
  ]),
  "link.used": acted("used the link of", "opened their link and chose a password"),
  "password.changed": acted("changed the password of", "changed their password"),
  "sign-in.refused": ({ subject }, names) =>
    subject === "nobody" ? (
      "A sign-in was refused: no account has the e-mail"
    ) : (
      <>A sign-in as {names.account(subject)} was refused: wrong password, or a disabled account</>
    ),
  "session.opened": did(({ by }) => `signed in${by === "provider" ? " by single sign-on" : ""}`),
  "session.replaced": acted("ended a session of", "signed in again in the same browser"),
  "session.confirmed": did("confirmed their password"),
  "session.ended": acted("ended a session of", "signed out of a session"),
  "sessions.ended": acted("ended the sessions of", "ended all their other sessions"),
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
  "identity.merged": decided("joined", "two people", "into one person"),
  "identity.split": decided("split", "one person", "into two people"),
  "identity.undone": did("undid a decision about who is who"),
  "person.forgotten": did((detail) => `forgot a person for good: ${describeErased(detail)}`),
  "person.allowed": did("lets a forgotten person be read in again"),
  "erasures.repeated": did(
    ({ receipts, developers }) =>
      `repeated ${formatCounted(Number(receipts), "erasure")}: an older copy had brought back ${formatPeople(Number(developers)).toLowerCase()}`,
  ),
  "run.started": did((detail, subject, names) => [
    "started to ",
    names.run(subject, describeRun(detail)),
  ]),
  "run.stopped": did((_, subject, names) => ["stopped ", names.run(subject, "a run")]),
  "run.ended": ({ actor, subject, detail }, names) => (
    <>
      The run of {names.actor(actor)} to {names.run(subject, describeRun(detail))}{" "}
      {runEnds[String(detail["state"])] ?? "ended"}
    </>
  ),
  "source.asked": changedSource("asked to read the source"),
  "source.added": changedSource("added the source"),
  "source.changed": changedSource("changed the source"),
  "source.removed": changedSource("removed the source"),
  "source.hook_on": changedSource("turned on the push hook of"),
  "source.hook_off": changedSource("turned off the push hook of"),
  "list.added": did("made a list"),
  "list.removed": did("removed a list"),
  "search.added": did("saved a search"),
  "search.removed": did("removed a saved search"),
  "backup.made": did(({ people, bytes }) => {
    const what =
      people === null || people === undefined ? "" : ` of ${formatPeople(Number(people))}`;
    return `made a backup${what}, ${formatBytes(Number(bytes))}`;
  }),
  "backup.started": did("began a backup"),
  "backup.stopped": did("stopped a backup"),
  "backup.fetched": did(
    ({ bytes }, subject) => `downloaded the backup ${subject}, ${formatBytes(Number(bytes))}`,
  ),
  "folder.restored": did(({ backup }) => `restored the backup of ${formatDate(String(backup))}`),
  "store.loss": did(({ what }) => `found that data is lost: ${what}`),
  "store.loss_accepted": did(({ what }) => `accepted that data is lost: ${what}`),
  "clock.accepted": did("accepted that the clock went back"),
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
  "set-up": "that sets up",
  invitation: "that invites",
  reset: "for a new password of",
};

const runEnds: Readonly<Record<string, string>> = {
  done: "is done",
  stopped: "was stopped",
  failed: "failed",
};

const runDeeds: Readonly<Record<RunOrder["kind"], string>> = {
  ingest: "read git histories",
  recount: "count all commits again",
  rescore: "score everyone again",
  merge: "join two people",
  split: "split two people",
  undo: "undo a decision about identities",
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
