/** The forms that a setting's text can have. Each throws an Error whose message says what would be right. */
import { parseNetwork } from "../network/ip-address.ts";

export function parseText(text: string): string {
  if (text.trim() === "") throw new Error("a text, not blank");
  return text;
}

export function parseWholeNumber(text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new Error(`a whole number from ${min} to ${max}`);
  }
  return value;
}

/** @returns milliseconds. */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3600, d: 86_400 }[unit ?? ""] ?? 0);
  if (seconds >= 1 && seconds <= 7 * 86_400) return seconds * 1000;
  throw new Error("a duration from 1s to 7d, such as 90s, 30m or 1h");
}

export function parseSwitch(text: string): boolean {
  if (["true", "1", "yes", "on"].includes(text.toLowerCase())) return true;
  if (["false", "0", "no", "off"].includes(text.toLowerCase())) return false;
  throw new Error("true or false");
}

export function parseOneOf<T extends string>(text: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text);
  if (!value) throw new Error(`one of ${values.join(", ")}`);
  return value;
}

export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new Error("an http or https address without query or fragment");
  }
  return text.replace(/(?<!\/)\/+$/, "");
}

/** Checked here, used by the HTTP interface. */
export function parseNetworks(text: string): readonly string[] {
  const networks = text.split(/[\s,]+/).filter(Boolean);
  if (networks.length > 0 && networks.every(parseNetwork)) return networks;
  throw new Error("addresses or networks such as 10.0.0.0/8, separated by commas");
}

/** Each in full: a scheme alone is anybody's (RFC 8252, 8.4). What browsers do something else with is none. */
export function parsePrivateRedirects(text: string): readonly string[] {
  if (text.trim() === "none") return [];
  const redirects = text.split(/[\s,]+/).filter(Boolean);
  const browsers = /^(https?|wss?|ftp|file|blob|data|about|javascript|vbscript|view-source):$/;
  const isPrivate = (one: string) =>
    URL.canParse(one) && !browsers.test(new URL(one).protocol) && !/[#@]/.test(one);
  if (redirects.every(isPrivate)) return redirects;
  throw new Error(
    "addresses with a scheme of their own such as cursor://anysphere.cursor-mcp/oauth/callback, separated by commas, or none",
  );
}
