import { and, eq, gt } from "drizzle-orm";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { LinkPurpose, LinkRedemption, LinkRow, SignInStore } from "../../sign-in-store.ts";
import { accounts } from "../tables.ts";
import { endAccess } from "./ending.ts";
import { putPassword } from "./password-rows.ts";
import type { SignInStoreContext } from "./sign-in-store-context.ts";
import { links } from "./sign-in-tables.ts";

type Links = Pick<Immediate<SignInStore>, "addLink" | "findLink" | "redeemLink">;

/** @package One-time links. */
export function createLinkRows({
  store,
  accountRows,
  guarded,
  transact,
}: SignInStoreContext): Links {
  const { orm } = store;
  const find = (digest: string, at: Date): LinkRow | undefined => {
    const isLive = and(eq(links.digest, digest), gt(links.expiresMs, at.getTime()));
    const row = orm.select().from(links).where(isLive).get();
    const account = row && accountRows.byId(row.accountId);
    if (!account || account.disabled) return undefined;
    return { purpose: row.purpose as LinkPurpose, account, expiresMs: row.expiresMs };
  };
  return {
    addLink: (link, by) =>
      transact((log) => {
        orm
          .insert(links)
          .values(link)
          .onConflictDoUpdate({ target: links.accountId, set: link })
          .run();
        log(by);
      }),
    findLink: (digest, at) => guarded(() => find(digest, at)),
    redeemLink: (digest, { hash, at, email }, by) =>
      transact((log): LinkRedemption => {
        const link = find(digest, at);
        if (!link) return { ok: false, code: "unknown" };
        const { account, purpose } = link;
        if (email && purpose === "set-up") {
          const other = accountRows.byEmail(email.emailKey);
          if (other && other.id !== account.id) return { ok: false, code: "email_taken" };
          orm.update(accounts).set(email).where(eq(accounts.id, account.id)).run();
        }
        // All access ends, not the link alone: a user who needed a link may have lost other credentials.
        endAccess(store, account.id);
        putPassword(store, { accountId: account.id, hash, at });
        log(by(link));
        const redeemed = accountRows.byId(account.id);
        return redeemed ? { ok: true, account: redeemed } : { ok: false, code: "unknown" };
      }),
  };
}
