import { and, eq, gt } from "drizzle-orm";
import type { Statements } from "../../../postgres/database.ts";
import type { LinkPurpose, LinkRedemption, LinkRow, SignInStore } from "../../sign-in-store.ts";
import { findByEmail, findById } from "../account-rows.ts";
import type { ControlContext } from "../context.ts";
import { accounts } from "../tables.ts";
import { endAccess } from "./ending.ts";
import { putPassword } from "./password-rows.ts";
import { links } from "./sign-in-tables.ts";

/** @package One-time links. */
export function createLinkRows({
  read,
  transact,
}: ControlContext): Pick<SignInStore, "addLink" | "findLink" | "redeemLink"> {
  return {
    addLink: (link, by) =>
      transact(async (statements, log) => {
        await statements
          .insert(links)
          .values(link)
          .onConflictDoUpdate({ target: links.accountId, set: link });
        await log(by);
      }),
    findLink: (digest, at) => read((statements) => findLive(statements, digest, at)),
    redeemLink: (digest, { hash, at, email }, by) =>
      transact(async (statements, log): Promise<LinkRedemption> => {
        const link = await findLive(statements, digest, at);
        if (!link) return { ok: false, code: "unknown" };
        const { account, purpose } = link;
        if (email && purpose === "set-up") {
          const other = await findByEmail(statements, email.emailKey);
          if (other && other.id !== account.id) return { ok: false, code: "email_taken" };
          await statements.update(accounts).set(email).where(eq(accounts.id, account.id));
        }
        // All access ends, not the link alone: a user who needed a link may have lost other credentials.
        await endAccess(statements, account.id);
        await putPassword(statements, { accountId: account.id, hash, at });
        await log(by(link));
        const redeemed = await findById(statements, account.id);
        return redeemed ? { ok: true, account: redeemed } : { ok: false, code: "unknown" };
      }),
  };
}

async function findLive(
  statements: Statements,
  digest: string,
  at: Date,
): Promise<LinkRow | undefined> {
  const isLive = and(eq(links.digest, digest), gt(links.expiresMs, at.getTime()));
  const [row] = await statements.select().from(links).where(isLive);
  const account = row && (await findById(statements, row.accountId));
  if (!account || account.disabled) return undefined;
  return { purpose: row.purpose as LinkPurpose, account, expiresMs: row.expiresMs };
}
