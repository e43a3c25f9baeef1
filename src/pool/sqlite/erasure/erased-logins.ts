import { replaceInCopy } from "../../../sqlite/copy-database.ts";

/**
 * Removes the logins of erased people from a copy of the pool that is put aside. Copies elsewhere may ask for them for some days,
 * but only in the pool itself.
 */
export function removeErasedLogins(pool: string): void {
  const sql = "UPDATE departure SET login = '', login_key = '' WHERE import_id IS NULL";
  replaceInCopy(pool, "departure", sql);
}
