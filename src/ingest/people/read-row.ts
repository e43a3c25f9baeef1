/** Reads a row of a people file: the addresses and logins of a person, and the person's data. */
import { describeMismatch } from "../../contract/complaint.ts";
import { Supplement } from "../../contract/people/facts.ts";
import { isLogin } from "../../contract/requests.ts";
import { isGenericAddress, normaliseAddress } from "../../identity/address.ts";
import { findWrongContent } from "../parse-facts.ts";
import type { LineComplaint } from "../refusal.ts";
import type { Cells, Column } from "./columns.ts";

export interface PeopleRow {
  /** The line where the row begins, counted from 1. */
  readonly line: number;
  readonly supplement: Supplement;
}

/** @param source the source of the file, such as `people:hr`. @returns the row, or a complaint about the row. */
export function readRow(
  line: number,
  cells: Cells,
  source: string,
): { readonly row: PeopleRow } | { readonly complaint: LineComplaint } {
  const emails = splitAddresses(cells.get("email")).map(normaliseAddress);
  const logins = splitCell(cells.get("login")).map(toLogin);
  const complaint = findComplaint(cells, emails, logins);
  if (complaint) return { complaint };
  const published = isYes(cells.get("publishEmail"));
  // Leaves out addresses that several people use, such as `info@`.
  const addresses = emails.filter((email) => !isGenericAddress(email));
  const supplement: Supplement = {
    source,
    logins: sortOnce(logins),
    profile: readProfile(cells),
    emails: sortOnce(addresses).map((address) => ({ address, sources: [source], published })),
  };
  const wrong = findWrongContent(Supplement, supplement);
  if (!wrong) return { row: { line, supplement } };
  const field = wrong.field?.replace(/^profile\./, "") ?? "";
  return { complaint: { field, reason: wrong.reason } };
}

function readProfile(cells: Cells): Supplement["profile"] {
  const [title, bio] = [cells.get("title")?.replace(/(?<![.\s])[.\s]+$/, ""), cells.get("bio")];
  const hireable = cells.get("hireable");
  return {
    ...given("name", cells.get("name")),
    // Puts the title into the bio, because the analysis reads titles there.
    ...given("bio", title && bio ? `${title}. ${bio}` : (title ?? bio)),
    ...given("company", cells.get("company")),
    ...given("location", cells.get("location") ?? joinPlace(cells)),
    ...given("blog", cells.get("url")),
    ...(hireable !== undefined && { hireable: isYes(hireable) }),
  };
}

function joinPlace(cells: Cells): string {
  const parts = [cells.get("city"), cells.get("region"), cells.get("country")];
  return parts.filter((part) => part !== undefined).join(", ");
}

function given<Name extends string>(name: Name, text: string | undefined) {
  return text ? ({ [name]: text } as { [N in Name]: string }) : {};
}

function findComplaint(cells: Cells, emails: readonly string[], logins: readonly string[]) {
  const wrong = (field: Column, rule: string, value: string | undefined) => ({
    field,
    reason: describeMismatch(rule, value),
  });
  const noAddress = emails.find((email) => !/^[^\s@]+@[^\s@]+$/.test(email));
  if (noAddress !== undefined) return wrong("email", "addresses, separated by spaces", noAddress);
  const noLogin = logins.find((login) => !isLogin(login));
  if (noLogin !== undefined) return wrong("login", "logins, or HOST/LOGIN", noLogin);
  const url = cells.get("url");
  if (url !== undefined && !/^https?:\/\/\S+$/i.test(url)) {
    return wrong("url", "an address with http:// or https://", url);
  }
  for (const field of ["hireable", "publishEmail"] as const) {
    const text = cells.get(field);
    if (text !== undefined && !isYes(text) && !/^(no|false|0)$/i.test(text)) {
      return wrong(field, "yes or no", text);
    }
  }
  if (logins.length > 0 || emails.some((email) => !isGenericAddress(email))) return undefined;
  const reason =
    emails.length > 0
      ? "is an address that several people use, so it identifies nobody"
      : "and login are both empty";
  return { field: "email", reason };
}

function isYes(text: string | undefined): boolean {
  return text !== undefined && /^(yes|true|1)$/i.test(text);
}

/** Splits a cell at white space, semicolons, commas and bars. */
function splitCell(text = ""): readonly string[] {
  return text.split(/[\s;,|]+/).filter(Boolean);
}

/** Splits addresses such as `Name <address>` and `SMTP:address;smtp:address`. Leaves out other kinds, such as `sip:address`. */
function splitAddresses(text = ""): readonly string[] {
  return text.split(/[;|\n]|(?<=>)\s*,/).flatMap((piece) => {
    const [, address] = /^[^@]*<([^<>]*)>\s*$/.exec(piece) ?? [];
    const parts = otherKind.test(piece) ? [] : splitCell(address ?? piece);
    return parts.flatMap((part) =>
      otherKind.test(part) ? [] : part.replace(/^(?:smtp|mailto):/i, ""),
    );
  });
}

const otherKind = /^\s*(?:sip|x400|x500|eum|spo|notes|msmail|ccmail):/i;

/** Converts an account to a login: `https://github.com/ada` becomes `ada@github.com`. */
function toLogin(text: string): string {
  const [, host, login] = accountForm.exec(text) ?? [];
  return (host === undefined ? text.replace(/^@/, "") : `${login}@${host}`).toLowerCase();
}

const accountForm = /^(?:https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)\/([a-z0-9._-]+)\/?$/i;

function sortOnce(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
