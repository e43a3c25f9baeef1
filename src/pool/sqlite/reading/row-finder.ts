import { and, eq, sql } from "drizzle-orm";
import { type Database, prepareOnce } from "../../../sqlite/database.ts";
import { toLoginKey } from "../../identifiers.ts";
import { isVisible } from "../../rows/visible.ts";
import { getQueries } from "../get-queries.ts";
import { poolTables } from "../tables.ts";

const { developers, formerLogins } = poolTables;

/** Finds the visible row of a developer by login. */
export interface RowFinder {
  /** If nobody has the login now, finds the only developer who had it before. */
  find(login: string): number | undefined;
  findCurrent(login: string): number | undefined;
}

export function createRowFinder(store: Database): RowFinder {
  const { orm } = store;
  const current = prepareOnce(() =>
    orm
      .select({ rowId: developers.rowId })
      .from(developers)
      .where(and(eq(developers.loginKey, sql.placeholder("key")), isVisible(getQueries(store)))),
  );
  const former = prepareOnce(() =>
    orm
      .select({ rowId: developers.rowId })
      .from(formerLogins)
      .innerJoin(developers, eq(developers.rowId, formerLogins.rowId))
      .where(and(eq(formerLogins.loginKey, sql.placeholder("key")), isVisible(getQueries(store))))
      .limit(2),
  );
  const findCurrent = (login: string) => current().get({ key: toLoginKey(login) })?.rowId;
  const findFormer = (login: string) => {
    const bearers = former().all({ key: toLoginKey(login) });
    return bearers.length === 1 ? bearers[0]?.rowId : undefined;
  };
  return { findCurrent, find: (login) => findCurrent(login) ?? findFormer(login) };
}
