/**
 * Forgetting somebody touches three rooms: the pool deletes and suppresses, the index's file goes, the
 * audit log says that it was done. The order matters to a crash: who is hidden stays hidden, and what
 * was cut short stands as unfinished until a later erasure has cleaned up.
 */
import type { Erasure } from "./doors/cli/session.ts";
import type { Ledger } from "./ingest/ingest.ts";
import type { Rooms } from "./operations/operation.ts";
import type { Erasing, Receipt } from "./pool/pool.ts";
import type { ControlStore } from "./store/store.ts";

export function openErasure(parts: {
  readonly rooms: Pick<Rooms, "pool" | "search">;
  readonly control: Pick<ControlStore, "record">;
  /** What is kept of git repositories; undefined when none was ever read. */
  readonly ledger: () => Ledger | undefined;
  readonly now: () => Date;
}): Erasure {
  const { rooms, control, ledger, now } = parts;
  const { erasing } = rooms.pool;
  const record = (action: string, { id, developers, rows, identifiers }: Receipt) => {
    const detail = { developers, rows, identifiers };
    control.record({ at: now(), actor: "operator", action, subject: id, detail });
  };
  /** Also finishes what an earlier one left. */
  const cleanUp = (): string | undefined => {
    const unfinished = erasing.unfinished();
    if (unfinished.length === 0) return undefined;
    rooms.search.discard();
    eraseFromLedger(ledger(), erasing);
    const fault = erasing.clean();
    if (fault !== undefined) return fault;
    for (const receipt of unfinished) {
      record("person.forgotten", receipt);
      erasing.finish(receipt.id);
    }
    return undefined;
  };
  return {
    forget(subject, order) {
      const hidden = erasing.hide(subject, order);
      if (hidden === "names the person") return { kind: "named" };
      // Nobody there: maybe since an erasure of theirs was cut short, which is finished now.
      const due = hidden ? [hidden] : unfinishedOf(erasing, subject);
      const fault = cleanUp();
      const [first] = due;
      if (!first) return { kind: "unknown" };
      const receipt = erasing.findReceipt(first.id) ?? first;
      if (fault !== undefined) return { kind: "unfinished", receipt, fault };
      return { kind: "forgotten", receipt };
    },
    undo(receiptId) {
      const receipt = erasing.findReceipt(receiptId);
      if (!receipt || receipt.undoneAt) return receipt;
      erasing.undo(receiptId);
      ledger()?.readAnew();
      record("person.allowed", receipt);
      return erasing.findReceipt(receiptId);
    },
  };
}

function eraseFromLedger(ledger: Ledger | undefined, erasing: Erasing): void {
  ledger?.erase({
    isTheirLogin: (login) => erasing.isSuppressed({ ...nobody, login }),
    isTheirs: ({ email, rawEmail }) =>
      erasing.holdsAddress(email) || erasing.holdsAddress(rawEmail),
  });
}

const nobody = { source: "git", profile: {}, emails: [], repositories: [], evidence: [] };

function unfinishedOf(erasing: Erasing, subject: string): readonly Receipt[] {
  const of = new Set(erasing.receiptsOf(subject).map(({ id }) => id));
  return erasing.unfinished().filter(({ id }) => of.has(id));
}
