import { and, eq, gt } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { LinkPurpose, LinkRow, SignInStore } from "../sign-in-store.ts";
import type { ControlTables } from "../tables/control-tables.ts";
import { findAccountByEmail, findAccountById } from "./account-rows.ts";
import { endAccess } from "./ending.ts";
import { putPassword } from "./password-rows.ts";
import type { RowsContext } from "./rows-context.ts";

/** @package Stores one-time links. */
export function createLinkRows({ tables, read, transact }: RowsContext) {
  const { links, accounts } = tables;
  return {
    addLink: (link, by) =>
      transact(function* (queries, log) {
        const conflict = { target: links.accountId, set: link };
        yield* execute(queries.insert(links).values(link).onConflictDoUpdate(conflict));
        yield* log(by);
      }),
    findLink: (digest, at) => read((queries) => findLiveLink(queries, tables, digest, at)),
    listInvitations: () => {
      const { accountId, expiresMs, purpose } = links;
      const isOpen = and(eq(purpose, "invitation"), eq(accounts.disabled, false));
      return read((queries) =>
        fetchRows(
          queries
            .select({ accountId, expiresMs })
            .from(links)
            .innerJoin(accounts, eq(accounts.id, accountId))
            .where(isOpen),
        ),
      );
    },
    redeemLink: (digest, { hash, at, email }, by) =>
      transact(function* (queries, log) {
        const link = yield* findLiveLink(queries, tables, digest, at);
        if (!link) return { ok: false, code: "unknown" };
        const { account, purpose } = link;
        if (email && purpose === "set-up") {
          const other = yield* findAccountByEmail(queries, tables, email.emailKey);
          if (other && other.id !== account.id) return { ok: false, code: "email_taken" };
          yield* execute(queries.update(accounts).set(email).where(eq(accounts.id, account.id)));
        }
        // All access ends, because a user who needed a link may have lost other credentials too.
        yield* endAccess(queries, tables, account.id);
        yield* putPassword(queries, tables, { accountId: account.id, hash, at });
        yield* log(by(link));
        const redeemed = yield* findAccountById(queries, tables, account.id);
        return redeemed ? { ok: true, account: redeemed } : { ok: false, code: "unknown" };
      }),
  } satisfies Partial<SignInStore>;
}

function* findLiveLink(
  queries: Queries,
  tables: ControlTables,
  digest: string,
  at: Date,
): Work<LinkRow | undefined> {
  const { links } = tables;
  const isLive = and(eq(links.digest, digest), gt(links.expiresMs, at.getTime()));
  const row = yield* fetchRow(queries.select().from(links).where(isLive));
  const account = row && (yield* findAccountById(queries, tables, row.accountId));
  if (!account || account.disabled) return undefined;
  return { purpose: row.purpose as LinkPurpose, account, expiresMs: row.expiresMs };
}
