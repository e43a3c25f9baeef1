/** Reads paths that git may have quoted. */

/** @returns the position of the closing quote. @param text begins with the opening quote. */
export function findQuoteEnd(text: string): number {
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** Decodes a path that git has quoted, e.g. `"caf\303\251.txt"`. In a path without quotes, backslashes become slashes. */
export function decodeQuoted(path: string): string {
  if (!path.startsWith('"')) return path.replaceAll("\\", "/");
  const bytes: number[] = [];
  const quoted = path.slice(1, findQuoteEnd(path));
  for (const [whole, code] of quoted.matchAll(/\\([0-7]{3}|[abtnvfr"\\])|[^\\]|\\/gu)) {
    if (code === undefined) bytes.push(...new TextEncoder().encode(whole));
    else if (code.length === 3) bytes.push(Number.parseInt(code, 8));
    else bytes.push("abtnvfr".includes(code) ? 7 + "abtnvfr".indexOf(code) : code.charCodeAt(0));
  }
  return Buffer.from(bytes).toString("utf8");
}

/** Splits a text into one or two names. The first name may be quoted. */
export function splitQuoted(text: string, separator: string): [string, ...string[]] {
  const from = text.startsWith('"') ? findQuoteEnd(text) : 0;
  const at = text.indexOf(separator, from);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
