/**
 * API keys: `rst_`, 43 characters of base62 (256 bit), and the CRC-32 of those 43 in 6 more. The checksum is not
 * secret: it keeps typos and floods of invented keys away from the store, and saves secret scanners from false alarms.
 * Their pattern is `\brst_[0-9A-Za-z]{49}\b`.
 */

const prefix = "rst_";
const bodyLength = 43;
const checksumLength = 6;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const form = /^rst_[0-9A-Za-z]{49}$/;

/** Returns this many random bytes, fit for secrets. */
export type RandomBytes = (count: number) => Uint8Array;

/** The system's randomness. */
export const systemRandom: RandomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

/** A new key, e.g. for ROSTER_ADMIN_KEY. */
export function createKey(random: RandomBytes = systemRandom): string {
  const body = createRandomBase62(bodyLength, random);
  return `${prefix}${body}${checksum(body)}`;
}

/** Whether a text has the form of a key and its checksum holds. */
export function isKey(text: string): boolean {
  if (!form.test(text)) return false;
  const body = text.slice(prefix.length, -checksumLength);
  return text.endsWith(checksum(body));
}

/** @package SHA-256, 32 bytes: the stored form of a key. 256 random bits need no salt. */
export function digestKey(key: string): Uint8Array {
  return Bun.CryptoHasher.hash("sha256", key);
}

/** @package The prefix, the first 4 and the last 4 characters: enough to tell keys apart, too little to guess one. */
export function formatKeyHint(key: string): string {
  return `${key.slice(0, prefix.length + 4)}...${key.slice(-4)}`;
}

/** @package Uniformly random: bytes of 248 or more would favour the first eight characters, so they are skipped. */
export function createRandomBase62(length: number, random: RandomBytes): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < 248) text += alphabet[byte % 62];
    }
  }
  return text;
}

function checksum(body: string): string {
  let rest = Bun.hash.crc32(body);
  let text = "";
  while (text.length < checksumLength) {
    text = alphabet[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** The credentials that a request carries, not yet verified. */
export interface BearerCredentials {
  readonly header: "authorization" | "x-api-key";
  /** A key, a token, or anything else. */
  readonly secret: string;
}

/**
 * Describes what is wrong with the headers of a request that has more than one secret or both headers: `twice`, or the
 * name of the header without a secret. It looks only at the form, not at whether a key is valid, so the answer reveals
 * nothing (decision 41).
 */
export function findHeaderFault(
  headers: Headers,
): "twice" | BearerCredentials["header"] | undefined {
  const authorization = headers.get("authorization");
  const apiKey = headers.get("x-api-key");
  if (authorization === null || apiKey === null) {
    return (authorization ?? apiKey)?.includes(",") ? "twice" : undefined;
  }
  if (!bearerForm.test(authorization)) return "authorization";
  return apiKey.trim() === "" ? "x-api-key" : "twice";
}

const bearerForm = /^bearer +([^ ].*)$/i;

/**
 * Reads the secret if exactly one of the two headers carries one (decision 27). A header sent twice arrives joined
 * by a comma, which no secret contains. The query string and cookies are never read.
 */
export function readBearerCredentials(headers: Headers): BearerCredentials | undefined {
  const authorization = headers.get("authorization");
  const apiKey = headers.get("x-api-key");
  if (authorization !== null && apiKey !== null) return undefined;
  const header = authorization === null ? "x-api-key" : "authorization";
  const secret = authorization === null ? apiKey : bearerForm.exec(authorization)?.[1];
  return secret && /^[^\s,]+$/.test(secret) ? { header, secret } : undefined;
}
