/**
 * Who committed how often, before any identity merging: for one repository line for line what
 * `git shortlog -sne --no-merges HEAD` prints, so that anybody can check the reading.
 */
import { isGeneric, normaliseAddress } from "../../../contract/facts/address.ts";
import type { Facts } from "../../../contract/facts/facts.ts";
import { decode } from "../git-command.ts";
import type { Digest } from "../scan.ts";

/**
 * @returns `commits TAB name <email>`, most commits first, then by the bytes of the name as git does;
 *   as Latin-1 text of the repository's own bytes. Several repositories are summed by pair.
 */
export function authorsReport(digests: readonly Pick<Digest, "authors">[]): string[] {
  const sums = new Map<string, number>();
  for (const { authors } of digests) {
    for (const [line, commits] of authors) sums.set(line, (sums.get(line) ?? 0) + commits);
  }
  return [...sums]
    .sort(([a, most], [b, less]) => less - most || (a < b ? -1 : 1))
    .map(([line, commits]) => `${commits}\t${line}`);
}

/** @returns the report without the lines of these people: who had themselves forgotten is in no file we write. */
export function withoutForgotten(
  report: readonly string[],
  forgotten: readonly Facts[],
): readonly string[] {
  if (forgotten.length === 0) return report;
  const addresses = new Set(
    forgotten.flatMap(({ emails }) => emails.map(({ address }) => normaliseAddress(address))),
  );
  const names = new Set(forgotten.map(({ profile }) => profile.name));
  return report.filter((line) => {
    const [, name, address = ""] = authorForm.exec(decode(Buffer.from(line, "latin1"))) ?? [];
    const email = normaliseAddress(address);
    // An address that several people use is theirs only under their own name.
    return !addresses.has(email) || (isGeneric(email) && !names.has(name));
  });
}

const authorForm = /^\d+\t(.*) <(.*)>$/s;
