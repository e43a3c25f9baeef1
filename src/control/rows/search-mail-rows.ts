/** Mail about new people in saved searches. What waits to be sent has ids only, so no address is left when an account is gone. */
import { and, eq, isNotNull } from "drizzle-orm";
import { execute, fetchRow } from "../../queries/work.ts";
import { addMail } from "./delivery-rows.ts";
import type { RowsContext } from "./rows-context.ts";
import { selectNewCount } from "./search-rows.ts";

const dayMs = 86_400_000;

/** @package */
export function createSearchMailRows({ tables, transact }: RowsContext) {
  const { searches, accounts } = tables;
  const { id, accountId, mailTo } = searches;
  return {
    /** Turns the mail of a search on or off. `mailTo` is empty until the account has confirmed its address. */
    setMail: (account: string, search: string, to: string | null): Promise<boolean> =>
      transact(function* (queries) {
        const isOwn = and(eq(accountId, account), eq(id, search));
        const change = queries.update(searches).set({ mailTo: to }).where(isOwn).returning({ id });
        return (yield* fetchRow(change)) !== undefined;
      }),
    /** Notes that the account has confirmed the address with this digest, for all its searches that send mail. */
    confirmMail: (account: string, to: string): Promise<void> =>
      transact((queries) => {
        const isMeant = and(eq(accountId, account), isNotNull(mailTo));
        return execute(queries.update(searches).set({ mailTo: to }).where(isMeant));
      }),
    /** Lets a mail wait that asks the account to confirm its address, unless one waits already. */
    addConfirmation: (account: string, at: Date): Promise<void> =>
      transact((queries) => addMail(queries, tables, { account }, at)),
    /** Finds what a mail about a search says, and whose it is. The next mail about it waits for a day. */
    takeMail: (search: string, at: Date) =>
      transact(function* (queries) {
        const isSearch = eq(id, search);
        const next = { mailMs: at.getTime() + dayMs };
        yield* execute(queries.update(searches).set(next).where(isSearch));
        const fields = { account: accounts, name: searches.name, mailTo };
        const owned = queries.select(fields).from(searches);
        const ofAccount = owned.innerJoin(accounts, eq(accounts.id, accountId)).where(isSearch);
        const found = yield* fetchRow(ofAccount);
        const fresh = yield* fetchRow(selectNewCount(queries, tables, isSearch));
        return found && { ...found, new: fresh?.people ?? 0 };
      }),
  };
}
