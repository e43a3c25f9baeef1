/**
 * An API key is `rst_`, then 43 random characters of base62 (256 bits), then 6 characters with the CRC-32 of the rest.
 * Roster refuses typos by the checksum, without a look-up. Secret scanners can use the pattern `\brst_[0-9A-Za-z]{49}\b`.
 */

const prefix = "rst_";
const bodyLength = 43;
const checksumLength = 6;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const form = /^rst_[0-9A-Za-z]{49}$/;

const systemRandom = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));

/** @param random returns random bytes that are secure enough for secrets. */
export function createKey(random?: (count: number) => Uint8Array): string {
  const body = createRandomBase62(bodyLength, random);
  return `${prefix}${body}${checksum(body)}`;
}

/** Checks the form and the checksum of a key. The key may still belong to no account. */
export function isKey(text: string): boolean {
  if (!form.test(text)) return false;
  const body = text.slice(prefix.length, -checksumLength);
  return text.endsWith(checksum(body));
}

/** @package Computes the stored form of a key. It has no salt, because a key has 256 random bits. */
export function digestKey(key: string): Uint8Array {
  return Bun.CryptoHasher.hash("sha256", key);
}

/** @package Shows 4 characters at each end of a key. This is enough to tell keys apart, and too little to guess a key. */
export function formatKeyHint(key: string): string {
  return `${key.slice(0, prefix.length + 4)}...${key.slice(-4)}`;
}

/** @package Creates a random text. Bytes of 248 or more are skipped, because they would make some characters likelier. */
export function createRandomBase62(length: number, random = systemRandom): string {
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
  /** A key, an access token, or any other text. */
  readonly secret: string;
}

/**
 * @returns the fault in the headers of a request. `twice` means several secrets. A header's name means that both headers are
 *   there and this header has no secret. Undefined means that there is no fault.
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
 * @returns the secret of a request. Undefined means that the request has no secret, or more than one. Secrets have no comma, so a
 *   comma shows that a header was sent twice.
 */
export function readBearerCredentials(headers: Headers): BearerCredentials | undefined {
  const authorization = headers.get("authorization");
  const apiKey = headers.get("x-api-key");
  if (authorization !== null && apiKey !== null) return undefined;
  const header = authorization === null ? "x-api-key" : "authorization";
  const secret = authorization === null ? apiKey : bearerForm.exec(authorization)?.[1];
  return secret && /^[^\s,]+$/.test(secret) ? { header, secret } : undefined;
}
