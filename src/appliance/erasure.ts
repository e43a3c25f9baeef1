/**
 * An erasure hides the person in the pool, removes the index file, cleans the ledgers, and writes to the audit log. A crash is
 * harmless: the person stays hidden, and a later erasure completes the interrupted one.
 */
import type { Config } from "../config/config.ts";
import { isFault } from "../contract/fault.ts";
import { describeErasureList, type ErasureReceipt } from "../contract/people/erasure-receipt.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { AuditAction } from "../control/account-records.ts";
import type { ControlStore } from "../control/control-store.ts";
import {
  eraseFromForges,
  eraseFromLedger,
  type FrozenForges,
  findStoredIdentity,
  type KnownJoin,
  type Ledger,
  listAuthorIdentities,
  readLocationsAgain,
  type StoredAuthorIdentity,
} from "../ingest/ingest.ts";
import type { Modules } from "../operations/operation.ts";
import {
  type AdoptedErasures,
  listIdentifiers,
  listNames,
  type PoolErasure,
} from "../pool/pool.ts";
import { removeReplaced } from "../restore/swap.ts";
import { findFileMentions } from "./find-file-mentions.ts";

/** Erases people from every module that has data about them. */
export type Erasure = ReturnType<typeof createErasure>;

type SayStep = (text: string) => void;

/** What an erasure of a person would erase. Each list is sorted. */
export interface ErasurePreview {
  readonly logins: readonly string[];
  readonly formerLogins: readonly string[];
  /** Addresses to remove. Some may also belong to other people. */
  readonly addresses: readonly string[];
  /** Forge accounts, such as `github.com/login` or `github.com#12`. */
  readonly accounts: readonly string[];
  readonly names: readonly string[];
  /** Merges by a name or handle alone. If such a merge is wrong, some of this data belongs to another person. */
  readonly joinsByName: readonly KnownJoin[];
}

export type ForgetOutcome =
  | ({ readonly ok: true } & ErasureResult)
  /** No interface shows the person, but old bytes may remain in the files. The erasure must be repeated. */
  | ({ readonly ok: false; readonly code: "unfinished"; readonly fault: string } & ErasureResult)
  /** `names_person` means that the given reason names the person, so it must not be stored. */
  | { readonly ok: false; readonly code: "unknown" | "names_person" };

export interface ErasureResult {
  readonly receipt: ErasureReceipt;
  /** Lines of the operator's files that name the person, such as `aliases.txt:12`. Only the operator may change these files. */
  readonly mentionedIn: readonly string[];
}

interface ErasureParts {
  readonly modules: Pick<Modules, "pool" | "search">;
  readonly control: Pick<ControlStore, "record" | "recordOnce" | "folder" | "saved" | "runs">;
  /** Returns undefined if no Git repository was ever ingested. */
  readonly findLedger: () => Ledger | undefined;
  /** Returns undefined if no forge was ever ingested. */
  readonly freezeForges: () => FrozenForges | undefined;
  /** The operator's files. An erasure does not change them. */
  readonly files: Config["identity"];
  readonly folder: string;
  /** Returns the size of the databases that an erasure rewrites. */
  readonly countBytes: () => number;
  readonly now: () => Date;
}

export function createErasure(parts: ErasureParts) {
  const { modules, control, findLedger, now } = parts;
  const { erasing } = modules.pool;
  const { sources, record, storeErasures, eraseFromSources, cleanUp } = createTools(parts);
  return {
    /** Returns everything that `forget` would erase. Undefined means that the person is unknown. */
    async preview(subject: string): Promise<ErasurePreview | undefined> {
      const logins = await erasing.find(subject);
      if (logins.length === 0) return undefined;
      const facts = (await modules.pool.findFacts(logins)).filter((one) => one !== undefined);
      return describePerson(logins, facts, await listAuthorIdentities(sources(), logins));
    },
    forget: createForget(parts),
    /** Returns what the ledgers and the operator's files say about a person. Undefined means that they say nothing. */
    knownAs: (login: string) => findStoredIdentity(sources(), login),
    /** Undoes an erasure. @returns its receipt. Undefined means that there is no such receipt. */
    async undo(receiptId: string): Promise<ErasureReceipt | undefined> {
      const receipt = await erasing.findReceipt(receiptId);
      if (!receipt || receipt.undoneAt) return receipt;
      await erasing.undo(receiptId);
      await storeErasures(receiptId);
      const ledger = findLedger();
      if (ledger) readLocationsAgain(ledger);
      await record("person.allowed", receipt);
      return erasing.findReceipt(receiptId);
    },
    /**
     * Erases people again if an older pool or ledger has brought them back, and cleans the files.
     * @returns the people who were erased again. A `fault` means that old bytes may remain in the files.
     */
    async repeat({
      isLedgerOlder,
    }: {
      readonly isLedgerOlder: boolean;
    }): Promise<AdoptedErasures & { readonly fault?: string | undefined }> {
      const repeated = await repeatErasures(erasing, control);
      if (repeated.receipts === 0) {
        return { ...repeated, ...(isLedgerOlder && { fault: await eraseFromSources() }) };
      }
      const entry = { actor: "store", action: "erasures.repeated", subject: "pool" } as const;
      await control.record({ ...entry, at: now(), detail: { ...repeated } });
      return { ...repeated, fault: await cleanUp() };
    },
    /** Completes interrupted erasures. @returns what prevented it. Undefined means success. */
    async finish(say?: SayStep): Promise<string | undefined> {
      // An account may meanwhile have added an erased person to a list.
      await eraseFromSaved(control, erasing);
      await modules.pool.changes.prune();
      return cleanUp(say);
    },
  };
}

function createForget(parts: ErasureParts) {
  const { modules, control, files } = parts;
  const { erasing } = modules.pool;
  const { sources, cleanUp } = createTools(parts);
  return async (
    subject: string,
    order: Parameters<PoolErasure["hide"]>[1],
    say?: SayStep,
  ): Promise<ForgetOutcome> => {
    const logins = await erasing.find(subject);
    // This comes before the erasure, because the erasure removes the decisions that merged the identities.
    const identities = await listAuthorIdentities(sources(), logins);
    const known = await modules.pool.findFacts(logins);
    const storedNames = known.flatMap((facts) => (facts ? listNames(facts) : []));
    const names = [...logins, ...storedNames, ...identities.flatMap(({ name }) => name || [])];
    const alsoLogins = identities.flatMap(({ loginAlone }) => loginAlone ?? []);
    const alsoAddresses = identities.flatMap(({ ownAddresses }) => ownAddresses);
    const alsoRows = await control.saved.countEntries([...logins, ...alsoLogins, subject]);
    const alsoAuthors = identities.flatMap(({ namedAddress }) => namedAddress ?? []);
    const also = { alsoLogins, alsoAddresses, alsoAuthors, alsoRows };
    const hidden = await erasing.hide(subject, { ...order, ...also });
    if (hidden === "names the person") return { ok: false, code: "names_person" };
    // Nobody was found. An erasure of this person may have been interrupted before.
    const begun = hidden ?? (await findUnfinished(erasing, subject));
    const fault = await cleanUp(say, hidden?.id);
    if (!begun) return { ok: false, code: "unknown" };
    const receipt = (await erasing.findReceipt(begun.id)) ?? begun;
    const isCovered = async (selector: string) =>
      (await erasing.receiptsOf(selector)).some(({ id }) => id === receipt.id);
    const mentionedIn = await findFileMentions(files, names, isCovered);
    const result = { receipt, mentionedIn };
    if (fault !== undefined) return { ok: false, code: "unfinished", fault, ...result };
    return { ok: true, ...result };
  };
}

function describePerson(
  logins: readonly string[],
  facts: readonly Facts[],
  identities: readonly StoredAuthorIdentity[],
): ErasurePreview {
  const inOrder = (texts: readonly string[]) => [...new Set(texts)].sort();
  const lists = facts.flatMap(({ emails, supplements = [] }) => [{ emails }, ...supplements]);
  const addresses = [
    ...lists.flatMap(({ emails }) => emails.map(({ address }) => address)),
    ...identities.flatMap(({ commitEmail }) => commitEmail || []),
  ];
  const accounts = facts
    .flatMap(listIdentifiers)
    .filter((identifier) => identifier.startsWith("account:"))
    .map((identifier) => identifier.slice("account:".length));
  const current = facts.map(({ login }) => login);
  const everyLogin = [
    // Former logins may belong to rows that wait for their deletion.
    ...logins,
    ...facts.flatMap(({ formerLogins = [] }) => formerLogins),
    ...identities.flatMap(({ loginAlone }) => loginAlone ?? []),
  ];
  const names = [...facts.flatMap(listNames), ...identities.flatMap(({ name }) => name || [])];
  return {
    logins: inOrder(current),
    formerLogins: inOrder(everyLogin).filter((login) => !current.includes(login)),
    addresses: inOrder(addresses),
    accounts: inOrder(accounts),
    names: inOrder(names).filter((name) => ![...current, ...everyLogin].includes(name)),
    joinsByName: identities.flatMap(({ joinsByName }) => joinsByName),
  };
}

function createTools(parts: ErasureParts) {
  const { modules, control, findLedger, freezeForges, files, folder, now, countBytes } = parts;
  const { erasing } = modules.pool;
  const sources = () => ({
    ...{ pool: modules.pool, ledger: findLedger(), forges: freezeForges(), files },
  });
  /** Several processes may finish the same erasure at once, and the audit log has it once. */
  const record = async (
    action: AuditAction,
    { id, developers, rows, identifiers }: ErasureReceipt,
  ) => {
    const detail = { developers, rows, identifiers };
    await control.recordOnce({ at: now(), actor: "operator", action, subject: id, detail });
  };
  /** Stores erasures in the control store, in case an older copy ever replaces the pool. */
  const storeErasures = async (...receiptIds: string[]) =>
    control.folder.addSuppressionList(await erasing.suppressionList(receiptIds));
  /** Erases people from the ledgers. @returns what prevented cleaning the files. Undefined means success. */
  const eraseFromSources = async () => {
    const matcher = await erasing.suppression();
    const faults = [
      await describeFault(() => eraseFromLedger(findLedger(), matcher)),
      await describeFault(() => eraseFromForges(freezeForges(), matcher)),
    ];
    return faults.find((fault) => fault !== undefined);
  };
  const finishAll = async (say?: SayStep) => {
    const unfinished = await erasing.unfinished();
    if (unfinished.length === 0) return undefined;
    await modules.search.discard();
    // Files that a restore has replaced are removed first, because this frees space.
    removeReplaced(folder);
    await eraseFromSaved(control, erasing);
    const bytes = countBytes();
    if (bytes > bytesUnsaid) {
      say?.(
        `The databases are rewritten without the erased bytes (${Math.round(bytes / 1e6)} MB) ...`,
      );
    }
    const fault = await eraseFromSources();
    const poolFault = await erasing.clean();
    if (fault !== undefined || poolFault !== undefined) return fault ?? poolFault;
    for (const receipt of unfinished) {
      await record("person.forgotten", receipt);
      await erasing.finish(receipt.id);
      await storeErasures(receipt.id);
    }
    return undefined;
  };
  /**
   * Completes earlier interrupted erasures, and the erasure of the person who was just hidden.
   * @returns what prevented it. Undefined means success.
   */
  const cleanUp = (say?: SayStep, hiddenId?: string) =>
    describeFault(async () => {
      if (hiddenId !== undefined) await storeErasures(hiddenId);
      return finishAll(say);
    });
  return { sources, record, storeErasures, eraseFromSources, cleanUp };
}

/** Runs a step of an erasure and returns its fault. A full disk can wait, because the person is already hidden. */
async function describeFault(act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    const fault = await act();
    return typeof fault === "string" ? fault : undefined;
  } catch (error) {
    if (!isFault(error, "no_space") && !isFault(error, "store")) throw error;
    return error.message.replace(/\.$/, "");
  }
}

/** Rewriting larger databases is announced, because it takes more than a second. */
const bytesUnsaid = 100e6;

/** Gives the pool and the control store the same erasures. @returns the erasures that were new to the pool. */
async function repeatErasures(
  erasing: PoolErasure,
  control: Pick<ControlStore, "folder" | "saved" | "runs">,
): Promise<AdoptedErasures> {
  const { folder } = control;
  const [here, stored] = await Promise.all([erasing.suppressionList(), folder.suppressionList()]);
  if (describeErasureList(here) === describeErasureList(stored))
    return { receipts: 0, developers: 0 };
  const adopted = await erasing.adopt(stored);
  await folder.addSuppressionList(await erasing.suppressionList());
  // An older control store may have lists with an erased person.
  await eraseFromSaved(control, erasing);
  return adopted;
}

async function findUnfinished(
  erasing: PoolErasure,
  subject: string,
): Promise<ErasureReceipt | undefined> {
  const ids = new Set((await erasing.receiptsOf(subject)).map(({ id }) => id));
  return (await erasing.unfinished()).find(({ id }) => ids.has(id));
}

/** Erases everyone on the suppression list from lists, saved searches and ended runs. This can be repeated. */
async function eraseFromSaved(
  { saved, runs }: Pick<ControlStore, "saved" | "runs">,
  erasing: PoolErasure,
): Promise<void> {
  const [stored, ended] = await Promise.all([saved.storedLogins(), runs.list()]);
  if (stored.length + ended.length === 0) return;
  const { isSuppressed } = await erasing.suppression();
  const isErased = (login: string) => {
    const emails = [{ address: login, sources: ["run"], published: false }];
    return isSuppressed({ ...noFacts, login, emails: login.includes("@") ? emails : [] });
  };
  const theirs = stored.filter(isErased);
  if (theirs.length > 0) await saved.erase(theirs);
  const naming = ended.filter(({ title, outcome }) =>
    listWords(`${title} ${outcome}`).some(isErased),
  );
  if (naming.length > 0) await runs.remove(naming.map(({ id }) => id));
}

/** Lists what may be a login or an address in the words about a run. */
const listWords = (words: string) =>
  words.split(/[^\w.@+-]+/).map((word) => word.replace(/^[.-]|[.-]$/g, ""));

const noFacts = { source: "git", profile: {}, repositories: [], evidence: [] };
