/**
 * Forgetting somebody touches three modules: the pool deletes and suppresses, the index's file goes, the
 * audit log says that it was done. The order matters to a crash: who is hidden stays hidden, and what
 * was cut short stands as unfinished until a later erasure has cleaned up.
 */
import { existsSync, readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";
import type { ControlStore } from "../control/control-store.ts";
import { formatOwnedSpelling, ownsIdentity } from "../identity/ownership.ts";
import { parseSelector } from "../identity/selector.ts";
import {
  findKeptIdentity,
  type KeptAuthorIdentity,
  type KnownIdentity,
  type Ledger,
  listAuthorIdentities,
} from "../ingest/ingest.ts";
import type { Modules } from "../operations/operation.ts";
import type { ErasureReceipt, PoolErasure } from "../pool/pool.ts";

/** Forgets people, in all modules that know them. */
export interface Erasure {
  forget(subject: string, order: Parameters<PoolErasure["hide"]>[1]): Promise<ForgetOutcome>;
  /** What histories keep of a person, apart from the pool; undefined when nothing. */
  knownAs(login: string): Promise<KnownIdentity | undefined>;
  /** @returns undefined for an unknown receipt. */
  undo(receiptId: string): Promise<ErasureReceipt | undefined>;
}

export type ForgetOutcome =
  | ({ readonly ok: true } & ErasureResult)
  /** Gone from every interface, but old bytes may still lie in the files: to be done again. */
  | ({ readonly ok: false; readonly code: "unfinished"; readonly fault: string } & ErasureResult)
  /** names_person: the reason given would keep what is to go. */
  | { readonly ok: false; readonly code: "unknown" | "names_person" };

export interface ErasureResult {
  readonly receipt: ErasureReceipt;
  /** Lines of the operator's own files that tell of the person, as `FILE:LINE`: nobody else may change these. */
  readonly mentionedIn: readonly string[];
}

export function createErasure(parts: {
  readonly modules: Pick<Modules, "pool" | "search">;
  readonly control: Pick<ControlStore, "record">;
  /** What is kept of git repositories; undefined when none was ever read. */
  readonly ledger: () => Ledger | undefined;
  /** The operator's own, which nobody but the operator may change. */
  readonly files: Config["identity"];
  readonly now: () => Date;
}): Erasure {
  const { modules, control, ledger, files, now } = parts;
  const { erasing } = modules.pool;
  const kept = () => ({ pool: modules.pool, ledger: ledger(), files });
  const record = async (action: string, { id, developers, rows, identifiers }: ErasureReceipt) => {
    const detail = { developers, rows, identifiers };
    await control.record({ at: now(), actor: "operator", action, subject: id, detail });
  };
  /** Also finishes what an earlier one left. */
  const cleanUp = async (
    alsoTheirs: readonly KeptAuthorIdentity[],
  ): Promise<string | undefined> => {
    const unfinished = await erasing.unfinished();
    if (unfinished.length === 0) return undefined;
    await modules.search.discard();
    await eraseFromLedger(ledger(), erasing, alsoTheirs);
    const fault = await erasing.clean();
    if (fault !== undefined) return fault;
    for (const receipt of unfinished) {
      await record("person.forgotten", receipt);
      await erasing.finish(receipt.id);
    }
    return undefined;
  };
  return {
    async forget(subject, order) {
      const logins = await erasing.find(subject);
      // Asked before the decisions go that made these spellings theirs.
      const spellings = await listAuthorIdentities(kept(), logins);
      const held = await modules.pool.findFacts(logins);
      const names = [
        ...logins,
        ...held.flatMap((facts) => facts?.profile.name ?? []),
        ...spellings.map(({ name }) => name).filter(Boolean),
      ];
      const alsoLogins = spellings.flatMap(({ loginAlone }) => loginAlone ?? []);
      const hidden = await erasing.hide(subject, { ...order, alsoLogins });
      if (hidden === "names the person") return { ok: false, code: "names_person" };
      // Nobody there: maybe since an erasure of theirs was cut short, which is finished now.
      const due = hidden ? [hidden] : await unfinishedOf(erasing, subject);
      const fault = await cleanUp(spellings);
      const [first] = due;
      if (!first) return { ok: false, code: "unknown" };
      const receipt = (await erasing.findReceipt(first.id)) ?? first;
      const isOf = async (who: string) =>
        (await erasing.receiptsOf(who)).some(({ id }) => id === receipt.id);
      const mentionedIn = await mentions(files, names, isOf);
      const result = { receipt, mentionedIn };
      if (fault !== undefined) return { ok: false, code: "unfinished", fault, ...result };
      return { ok: true, ...result };
    },
    knownAs: (login) => findKeptIdentity(kept(), login),
    async undo(receiptId) {
      const receipt = await erasing.findReceipt(receiptId);
      if (!receipt || receipt.undoneAt) return receipt;
      await erasing.undo(receiptId);
      ledger()?.readAnew();
      await record("person.allowed", receipt);
      return erasing.findReceipt(receiptId);
    },
  };
}

async function eraseFromLedger(
  ledger: Ledger | undefined,
  erasing: PoolErasure,
  alsoTheirs: readonly KeptAuthorIdentity[],
): Promise<void> {
  const { isSuppressed, holdsSpelling } = await erasing.suppression();
  const owned = {
    spellings: new Set(
      alsoTheirs.map(({ name, commitEmail }) => formatOwnedSpelling(name, commitEmail)),
    ),
    hasAddress: (email: string, name: string) => holdsSpelling({ name, email }),
  };
  ledger?.erase({
    isTheirLogin: (login) => isSuppressed({ ...nobody, login }),
    isTheirs: (identity) => ownsIdentity(owned, identity),
  });
}

/** Lines of the operator's files that tell of the person, as `FILE:LINE`. */
async function mentions(
  { aliasFile, classFile }: Config["identity"],
  names: readonly string[],
  isOf: (who: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const paths = [aliasFile, classFile].filter(
    (path): path is string => path !== undefined && existsSync(path),
  );
  const named = new RegExp(
    `(?<![\\p{L}\\p{N}])(${names.map(RegExp.escape).join("|")})(?![\\p{L}\\p{N}])`,
    "iu",
  );
  const tells = async (line: string) => {
    if (names.length > 0 && named.test(line)) return true;
    return (await Promise.all(marksIn(line).map(isOf))).includes(true);
  };
  const found: string[] = [];
  for (const path of paths) {
    for (const [at, line] of linesOf(path).entries()) {
      if (await tells(line)) found.push(`${path}:${at + 1}`);
    }
  }
  return found;
}

/** A file that cannot be read must not stop an erasure; ingest says what is wrong with it. */
function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}

/** Addresses and logins between brackets, whatever else the line says. */
function marksIn(line: string): readonly string[] {
  return [...line.matchAll(/<[^<>]+>/g)].flatMap(([text]) => {
    const mark = parseSelector(text);
    return mark?.account?.login ?? mark?.address ?? [];
  });
}

const nobody = { source: "git", profile: {}, emails: [], repositories: [], evidence: [] };

async function unfinishedOf(
  erasing: PoolErasure,
  subject: string,
): Promise<readonly ErasureReceipt[]> {
  const of = new Set((await erasing.receiptsOf(subject)).map(({ id }) => id));
  return (await erasing.unfinished()).filter(({ id }) => of.has(id));
}
