import { and, eq, inArray } from "drizzle-orm";
import type { Statements } from "../../../postgres/database.ts";
import { toLoginKey } from "../../identifiers.ts";
import { developers, formerLogins } from "../tables.ts";
import { isVisible } from "../visible.ts";

/** By current login, or else by a former one that exactly one developer had; in the order of the logins. */
export async function findRows(
  orm: Statements,
  logins: readonly string[],
): Promise<readonly (number | undefined)[]> {
  const current = await findCurrentRows(orm, logins);
  const missing = logins.filter((_, at) => current[at] === undefined).map(toLoginKey);
  if (missing.length === 0) return current;
  const bearers = await orm
    .select({ loginKey: formerLogins.loginKey, rowId: developers.rowId })
    .from(formerLogins)
    .innerJoin(developers, eq(developers.rowId, formerLogins.rowId))
    .where(and(inArray(formerLogins.loginKey, missing), isVisible(orm)));
  const byLogin = Map.groupBy(bearers, ({ loginKey }) => loginKey);
  return logins.map((login, at) => {
    const [only, another] = byLogin.get(toLoginKey(login)) ?? [];
    return current[at] ?? (another ? undefined : only?.rowId);
  });
}

export async function findCurrentRows(
  orm: Statements,
  logins: readonly string[],
): Promise<readonly (number | undefined)[]> {
  if (logins.length === 0) return [];
  const found = await orm
    .select({ rowId: developers.rowId, loginKey: developers.loginKey })
    .from(developers)
    .where(and(inArray(developers.loginKey, logins.map(toLoginKey)), isVisible(orm)));
  const byLogin = new Map(found.map(({ rowId, loginKey }) => [loginKey, rowId]));
  return logins.map((login) => byLogin.get(toLoginKey(login)));
}
