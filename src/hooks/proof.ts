/** Checks that the sender of a delivery knows the secret of the hook. */
import { createHmac } from "node:crypto";
import { isSameSecret } from "../network/same-secret.ts";
import { createSignature } from "../network/standard-signature.ts";
import { readFormField } from "./delivery.ts";

interface Signed {
  readonly headers: Headers;
  readonly body: Buffer;
  readonly now: Date;
}

/** For each header that can prove a delivery, its right value. Undefined means that this header proves nothing. */
const proofs: Readonly<Record<string, (signed: Signed, secret: string) => string | undefined>> = {
  "x-hub-signature-256": ({ body }, secret) => `sha256=${sign(secret, body)}`,
  // GitHub signs the body. Of a form, Gitea and Forgejo sign the field.
  "x-gitea-signature": ({ body }, secret) =>
    sign(secret, readFormField(body.toString(), "payload") ?? body),
  "webhook-signature": signStandard,
  "x-gitlab-token": (_, secret) => secret,
  authorization: (_, secret) => `Bearer ${secret}`,
};

const sign = (secret: string, content: string | Buffer) =>
  createHmac("sha256", secret).update(content).digest("hex");

/** GitLab's signing token, `whsec_` and the key in base64. The limit of 300 seconds is that of Standard Webhooks. */
function signStandard({ headers, body, now }: Signed, secret: string): string | undefined {
  const [id, seconds] = [headers.get("webhook-id"), headers.get("webhook-timestamp")];
  if (!(Math.abs(Number(seconds) - now.getTime() / 1000) <= 300)) return undefined;
  return createSignature(Buffer.from(secret, "base64url"), { id, seconds, body });
}

export const hasProof = (headers: Headers) => Object.keys(proofs).some((name) => headers.has(name));

/** @returns undefined if no header proves the delivery. Without `signature`, a header has the secret itself. */
export function findProof(signed: Signed, secret: string): { signature?: string } | undefined {
  for (const [name, compose] of Object.entries(proofs)) {
    const given = signed.headers.get(name);
    const right = given === null ? undefined : compose(signed, secret);
    if (given === null || right === undefined || !isSameSecret(given, right)) continue;
    // Gitea sends one signature in two headers.
    return given.endsWith(secret) ? {} : { signature: given.replace("sha256=", "") };
  }
  return undefined;
}
