import { splitNameWords } from "../identity/name-words.ts";

/** Words that many companies have in their names. */
const legalForms: ReadonlySet<string> = new Set([
  ...["ab", "ag", "aps", "as", "bv", "co", "corp", "corporation", "gmbh", "inc", "incorporated"],
  ...["kg", "limited", "llc", "llp", "ltd", "nv", "oy", "oyj", "plc", "pty", "sa", "sarl", "sas"],
  ...["se", "spa", "srl"],
]);

/**
 * Splits a company into distinct words, in lower case and without accents. Legal forms such as `Inc` are left out, unless there
 * is no other word.
 * @package
 */
export function listCompanyWords(company: string): readonly string[] {
  const words = [...new Set(splitNameWords(company))];
  const own = words.filter((word) => !legalForms.has(word));
  return own.length > 0 ? own : words;
}
