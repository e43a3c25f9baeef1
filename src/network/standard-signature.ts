/** Signatures by Standard Webhooks, for what comes and what goes. */
import { createHmac } from "node:crypto";

/** @param key the bytes of the secret. @param seconds since 1970, as the header has them. */
export function createSignature(
  key: Uint8Array,
  { id, seconds, body }: { id: string | null; seconds: string | null; body: string | Uint8Array },
): string {
  const hmac = createHmac("sha256", key).update(`${id}.${seconds}.`).update(body);
  return `v1,${hmac.digest("base64")}`;
}
