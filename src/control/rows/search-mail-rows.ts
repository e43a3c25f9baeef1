/** Mail about new people in saved searches. What waits to be sent has ids only, so no address is left when an account is gone. */
import { and, eq, isNotNull } from "drizzle-orm";
import { execute, fetchRow, fetchRows } from "../../queries/work.ts";
import { addMail } from "./delivery-rows.ts";
import type { RowsContext } from "./rows-context.ts";
import { selectNewCount } from "./search-rows.ts";

const dayMs = 86_400_000;

/** @package */
export function createSearchMailRows({ tables, transact }: RowsContext) {
  const { searches, accounts } = tables;
  const { id, accountId, mailTo } = searches;
  return {
    /** Sets `mailTo` of a search, or without one, of all searches of the account that want mail. @returns whether there is one. */
    setMail: (account: string, to: string | null, search?: string): Promise<boolean> =>
      transact(function* (queries) {
        const isMeant = search === undefined ? isNotNull(mailTo) : eq(id, search);
        const isOwn = and(eq(accountId, account), isMeant);
        const change = queries.update(searches).set({ mailTo: to }).where(isOwn).returning({ id });
        return (yield* fetchRows(change)).length > 0;
      }),
    /** Lets a mail wait that asks the account to confirm its address, unless one waits already. */
    askToConfirm: (account: string, at: Date): Promise<void> =>
      transact((queries) => addMail(queries, tables, { account }, at)),
    /** Finds what a mail about a search says, and whose it is. The next mail about it waits for a day. */
    takeMail: (search: string, at: Date) =>
      transact(function* (queries) {
        const isIt = eq(id, search);
        const mailMs = at.getTime() + dayMs;
        yield* execute(queries.update(searches).set({ mailMs }).where(isIt));
        const owned = queries.select({ account: accounts, search: searches }).from(searches);
        const found = owned.innerJoin(accounts, eq(accounts.id, accountId)).where(isIt);
        const fresh = yield* fetchRow(selectNewCount(queries, tables, isIt));
        return { ...(yield* fetchRow(found)), people: fresh?.people ?? 0 };
      }),
  };
}
