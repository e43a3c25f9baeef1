import { and, eq, gt } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { AccountRow, NewAuditEntry } from "../account-records.ts";
import type { LinkPurpose, LinkRow } from "../sign-in-store.ts";
import type { ControlRow, ControlTables } from "../tables/control-tables.ts";
import { fetchAccount } from "./account-rows.ts";
import { endAccess } from "./ending.ts";
import { putPassword } from "./password-rows.ts";
import type { RowsContext } from "./rows-context.ts";

/** @package Stores one-time links. */
export function createLinkRows({ tables, read, transact }: RowsContext) {
  const { links, accounts } = tables;
  return {
    /** Adds a one-time link. It replaces an earlier link of the account. */
    addLink: (link: ControlRow<"links">, by: NewAuditEntry): Promise<void> =>
      transact(function* (queries, log) {
        const conflict = { target: links.accountId, set: link };
        yield* execute(queries.insert(links).values(link).onConflictDoUpdate(conflict));
        yield* log(by);
      }),
    /** @returns `undefined` if the link cannot be used. */
    findLink: (digest: string, at: Date) =>
      read((queries) => findLiveLink(queries, tables, digest, at)),
    /** Lists the invitations that enabled accounts have not accepted. */
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
    /** Consumes the link and sets the password, in one transaction. */
    redeemLink: (
      digest: string,
      { hash, at, email }: LinkUse,
      by: (link: LinkRow) => NewAuditEntry,
    ): Promise<LinkRedemption> =>
      transact(function* (queries, log) {
        const link = yield* findLiveLink(queries, tables, digest, at);
        if (!link) return { ok: false, code: "unknown" };
        const { account, purpose } = link;
        if (email && purpose === "set-up") {
          const other = yield* fetchAccount(queries, tables, eq(accounts.emailKey, email.emailKey));
          if (other && other.id !== account.id) return { ok: false, code: "email_taken" };
          yield* execute(queries.update(accounts).set(email).where(eq(accounts.id, account.id)));
        }
        // All access ends, because a user who needed a link may have lost other credentials too.
        yield* endAccess(queries, tables, account.id);
        yield* putPassword(queries, tables, { accountId: account.id, hash, at });
        yield* log(by(link));
        const redeemed = yield* fetchAccount(queries, tables, eq(accounts.id, account.id));
        return redeemed ? { ok: true, account: redeemed } : { ok: false, code: "unknown" };
      }),
  };
}

interface LinkUse {
  readonly hash: string;
  readonly at: Date;
  /** The account's new e-mail. Only a set-up link may change it. */
  readonly email?: { readonly email: string; readonly emailKey: string };
}

type LinkRedemption =
  | { readonly ok: true; readonly account: AccountRow }
  | { readonly ok: false; readonly code: "unknown" | "email_taken" };

function* findLiveLink(
  queries: Queries,
  tables: ControlTables,
  digest: string,
  at: Date,
): Work<LinkRow | undefined> {
  const { links, accounts } = tables;
  const isLive = and(eq(links.digest, digest), gt(links.expiresMs, at.getTime()));
  const row = yield* fetchRow(queries.select().from(links).where(isLive));
  const account = row && (yield* fetchAccount(queries, tables, eq(accounts.id, row.accountId)));
  if (!account || account.disabled) return undefined;
  return { purpose: row.purpose as LinkPurpose, account, expiresMs: row.expiresMs };
}
