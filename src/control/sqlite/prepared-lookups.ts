import { and, eq, gt, sql } from "drizzle-orm";
import { type Database, prepareOnce } from "../../sqlite/database.ts";
import { selectGrants, toGrant } from "../rows/grant-rows.ts";
import { selectSessions, toLiveSession } from "../rows/session-rows.ts";
import type { SignInStore } from "../sign-in-store.ts";
import type { StoreGuard } from "./sqlite-rows-context.ts";
import { tables } from "./tables.ts";

/**
 * @package The lookups of every page and of every call of an assistant. Prepared, they take a tenth of the time: drizzle
 * takes longer to build a query than SQLite to answer it.
 */
export function prepareLookups(
  { orm }: Database,
  { run }: StoreGuard,
): Pick<SignInStore, "findSession" | "findGrant"> {
  const [digest, atMs] = [sql.placeholder("digest"), sql.placeholder("atMs")];
  const isMeant = ({ token, expiresAt }: typeof tables.sessions | typeof tables.accessTokens) =>
    and(eq(token, digest), gt(expiresAt, atMs));
  const session = prepareOnce(() => selectSessions(orm, tables, isMeant(tables.sessions)));
  const grant = prepareOnce(() => selectGrants(orm, tables, isMeant(tables.accessTokens)));
  return {
    findSession: (digest, at) =>
      run(() => {
        const row = session().get({ digest, atMs: at.getTime() });
        return row && toLiveSession(row);
      }),
    findGrant: (digest, at) =>
      run(() => {
        const row = grant().get({ digest, atMs: at.getTime() });
        return row && toGrant(row);
      }),
  };
}
