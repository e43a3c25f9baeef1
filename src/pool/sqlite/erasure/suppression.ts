/** Asks the suppression list about everybody who is imported, by statements that are prepared once. */
import { eq, sql } from "drizzle-orm";
import { type Database, prepareOnce } from "../../../sqlite/database.ts";
import { type Identifier, listAuthorIdentifiers, listKeptIdentifiers } from "../../identifiers.ts";
import type { SuppressionMatcher } from "../../pool.ts";
import { hashIdentifier } from "../../rows/erasure/suppression-hash.ts";
import { suppressed, suppressionSalts } from "../tables.ts";

/** The list as it is at each call. */
export interface Suppression extends SuppressionMatcher {
  isEmpty(): boolean;
  /** Whether one of these identifiers is on the list. */
  holds(identifiers: readonly Identifier[]): boolean;
}

export function createSuppression({ orm }: Database): Suppression {
  const allSalts = prepareOnce(() =>
    orm.select({ salt: suppressionSalts.salt }).from(suppressionSalts).orderBy(suppressionSalts.id),
  );
  const receiptsOf = prepareOnce(() =>
    orm
      .select({ receiptId: suppressed.receiptId })
      .from(suppressed)
      .where(eq(suppressed.hash, sql.placeholder("hash"))),
  );
  const isEmpty = () => allSalts().all().length === 0;
  const holds = (identifiers: readonly Identifier[]) => {
    const salts = allSalts().all();
    return identifiers.some((identifier) =>
      salts.some(({ salt }) => receiptsOf().get({ hash: hashIdentifier(salt, identifier) })),
    );
  };
  return {
    isEmpty,
    holds,
    // Almost every pool has no list: then the identifiers are not needed.
    isSuppressed: (facts) => !isEmpty() && holds(listKeptIdentifiers(facts)),
    holdsAuthorIdentity: (author) => !isEmpty() && holds(listAuthorIdentifiers(author)),
  };
}
