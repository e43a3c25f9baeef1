/** Checks every imported person against the suppression list, with prepared statements. */
import { eq, sql } from "drizzle-orm";
import { type Database, prepareOnce } from "../../../sqlite/database.ts";
import {
  type Identifier,
  listAuthorIdentifiers,
  listStoredIdentifiers,
} from "../../identifiers.ts";
import { hashIdentifier } from "../../rows/erasure/suppression-hash.ts";
import type { ListedSuppression } from "../../rows/erasure/suppression-rows.ts";
import { poolTables } from "../tables.ts";

const { suppressed, suppressionSalts } = poolTables;

/** Creates a suppression list that reads the database at each call. */
export function createSuppression({ orm }: Database): ListedSuppression {
  const allSalts = prepareOnce(() =>
    orm.select({ salt: suppressionSalts.salt }).from(suppressionSalts).orderBy(suppressionSalts.id),
  );
  const receiptsOf = prepareOnce(() =>
    orm
      .select({ receiptId: suppressed.receiptId })
      .from(suppressed)
      .where(eq(suppressed.hash, sql.placeholder("hash"))),
  );
  const holds = (identifier: Identifier) =>
    allSalts()
      .all()
      .some(({ salt }) => receiptsOf().get({ hash: hashIdentifier(salt, identifier) }));
  const isEmpty = () => allSalts().all().length === 0;
  return {
    holds,
    // Computes no identifiers if the list is empty, as in almost every pool.
    isSuppressed: (facts) => !isEmpty() && listStoredIdentifiers(facts).some(holds),
    holdsAuthorIdentity: (author) => !isEmpty() && listAuthorIdentifiers(author).some(holds),
  };
}
