import { eq } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import type { KeptSignature, PathMetadata } from "../commits/history.ts";
import type { Histories } from "./histories.ts";
import type { Ledger } from "./ledger.ts";
import { brought, ledgerState, places } from "./tables.ts";

/** @package */
export function createLedgerErasure(
  { orm, sqlite }: Database,
  histories: Histories,
): Pick<Ledger, "erase" | "readAnew"> {
  const erase: Ledger["erase"] = ({ isTheirLogin, isTheirs }) => {
    const transact = (): number => {
      let erased = 0;
      for (const { id } of orm.select({ id: places.id }).from(places).all()) {
        const sense = histories.sense(id);
        const { rest, count } = without(sense, isTheirs);
        if (count > 0) histories.writeSense(id, rest);
        erased += count;
      }
      for (const { login } of orm.select().from(brought).all()) {
        if (isTheirLogin(login)) orm.delete(brought).where(eq(brought.login, login)).run();
      }
      // What the last counting found names people too; the next run counts anew.
      orm.update(ledgerState).set({ applied: null }).run();
      return erased;
    };
    const erased = sqlite.transaction(transact).immediate();
    // Freed pages and the log may still hold the bytes.
    sqlite.run("VACUUM");
    sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return erased;
  };
  return {
    erase,
    readAnew: () => {
      orm.update(places).set({ edition: "" }).run();
    },
  };
}

function without(sense: PathMetadata, isTheirs: Parameters<Ledger["erase"]>[0]["isTheirs"]) {
  let count = 0;
  const signatures = sense.signatures.map((signature): KeptSignature => {
    if (signature.isErased || !isTheirs(signature)) return signature;
    count += 1;
    const { commits } = signature;
    return { name: "", email: "", rawEmail: "", line: "", commits, isErased: true };
  });
  const coAuthors = sense.coAuthors.map((signature) => {
    if (!signature || !isTheirs(signature)) return signature;
    count += 1;
    return null;
  });
  return { rest: { ...sense, signatures, coAuthors }, count };
}
