import { and, eq, gt, sql } from "drizzle-orm";
import { type Database, prepareOnce } from "../../sqlite/database.ts";
import type { ControlRows } from "../rows/control-rows.ts";
import { selectGrants, toGrant } from "../rows/grant-rows.ts";
import { selectLists, toListSummary } from "../rows/list-rows.ts";
import { selectPasswords } from "../rows/password-rows.ts";
import { selectNewCount } from "../rows/search-rows.ts";
import { selectSessions, toLiveSession } from "../rows/session-rows.ts";
import type { StoreGuard } from "./sqlite-rows-context.ts";
import { tables } from "./tables.ts";

/** @package Prepares the look-ups that every page and every call of an assistant needs. This makes them ten times as fast. */
export function prepareLookups({ orm }: Database, { run }: StoreGuard) {
  const [digest, atMs] = [sql.placeholder("digest"), sql.placeholder("atMs")];
  const isMeant = ({ token, expiresAt }: typeof tables.sessions | typeof tables.accessTokens) =>
    and(eq(token, digest), gt(expiresAt, atMs));
  const owner = sql.placeholder("accountId");
  const { passwords, lists: savedLists, searches } = tables;
  const session = prepareOnce(() => selectSessions(orm, tables, isMeant(tables.sessions)));
  const grant = prepareOnce(() => selectGrants(orm, tables, isMeant(tables.accessTokens)));
  const password = prepareOnce(() => selectPasswords(orm, tables, eq(passwords.accountId, owner)));
  const lists = prepareOnce(() => selectLists(orm, tables, eq(savedLists.accountId, owner)));
  const newCount = prepareOnce(() => selectNewCount(orm, tables, eq(searches.accountId, owner)));
  return {
    signIn: {
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
      findPassword: (accountId) => run(() => password().get({ accountId })?.hash),
    } satisfies Partial<ControlRows["signIn"]>,
    saved: {
      lists: (accountId) => run(() => lists().all({ accountId }).map(toListSummary)),
      countNew: (accountId) => run(() => newCount().get({ accountId })?.people ?? 0),
    } satisfies Partial<ControlRows["saved"]>,
  };
}
