import { eq, sql } from "drizzle-orm";
import { type Database, prepareOnce } from "../../../sqlite/database.ts";
import { toLoginKey } from "../../identifiers.ts";
import { selectVisible } from "../../rows/visible.ts";
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
  const rows = getQueries(store);
  const { rowId } = developers;
  const current = prepareOnce(() =>
    selectVisible(rows, { rowId }, eq(developers.loginKey, sql.placeholder("key"))),
  );
  const former = prepareOnce(() =>
    selectVisible(rows, { rowId }, eq(formerLogins.loginKey, sql.placeholder("key")))
      .innerJoin(formerLogins, eq(rowId, formerLogins.rowId))
      .limit(2),
  );
  const findCurrent = (login: string) => current().get({ key: toLoginKey(login) })?.rowId;
  const findFormer = (login: string) => {
    const bearers = former().all({ key: toLoginKey(login) });
    return bearers.length === 1 ? bearers[0]?.rowId : undefined;
  };
  return { findCurrent, find: (login) => findCurrent(login) ?? findFormer(login) };
}
