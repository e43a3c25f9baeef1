/** Numbers spellings: authors as commits and trailers write them. */
import { normaliseAddress } from "../../../identity/address.ts";
import { foldName } from "../../../identity/selector.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { Spelling } from "../commit/spelling.ts";

/** @returns the number of a spelling. A new spelling is added. */
export function addSpelling(
  sqlite: Connection,
  { name, email, rawEmail, place }: Spelling,
): number {
  const known = sqlite.readValue<number>`SELECT id FROM spelling WHERE raw_email = ${rawEmail}
    AND name = ${name} AND email = ${email} AND place = ${place}`;
  if (known !== undefined) return known;
  const { lastInsertRowid } = sqlite.execute`
    INSERT INTO spelling (name, email, raw_email, place, folded, address, raw_address)
    VALUES (${name}, ${email}, ${rawEmail}, ${place}, ${foldName(name)}, ${normaliseAddress(email)},
      ${normaliseAddress(rawEmail)})`;
  return Number(lastInsertRowid);
}

/** Removes spellings, except those to which something still refers. */
export function sweepSpellings(sqlite: Connection, spellings: Iterable<number>): void {
  const remove = sqlite.query(
    `DELETE FROM spelling WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM work WHERE spelling_id = ?1)
       AND NOT EXISTS (SELECT 1 FROM mention WHERE spelling_id = ?1)
       AND NOT EXISTS (SELECT 1 FROM credit WHERE named_id = ?1)`,
  );
  for (const spelling of spellings) remove.run(spelling);
}
