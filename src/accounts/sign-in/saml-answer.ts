/** Reads from a SAML response what Roster itself checks. The library verifies the signature later. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IdentityProvider } from "../../contract/identity-provider.ts";

/** The name of the attribute with the e-mail. It belongs to the SAML response that is being handled. */
export const emailAttribute = new AsyncLocalStorage<string>();

/** @param body the form that the browser posted. It contains the response. */
export function readSamlAnswer(body: string) {
  // A form may have several responses. All are read, because the library may use any of them.
  const answers = new URLSearchParams(body).getAll("SAMLResponse");
  const xml = answers.map((answer) => Buffer.from(answer, "base64").toString()).join("\n");
  const algorithms = [...xml.matchAll(methods)].map(([, rest = ""]) =>
    attributeIn("Algorithm", rest),
  );
  return {
    /** The first weak or unknown algorithm in the response. Undefined means that all algorithms are strong. */
    weakAlgorithm: algorithms.find((algorithm) => !strong.test(algorithm)),
    attributes: [...xml.matchAll(attributeTags)].map(([, rest = ""]) => attributeIn("Name", rest)),
    /** When the first confirmation of the user expires. NaN means that a confirmation has no end. */
    confirmedUntilMs: Math.min(
      ...[...xml.matchAll(confirmations)].map(([, rest = ""]) =>
        Date.parse(attributeIn("NotOnOrAfter", rest)),
      ),
    ),
  };
}

// Each expression matches within one tag, so hostile text cannot make it slow.
const methods = /<(?:[^\s<>/:]+:)?(?:SignatureMethod|DigestMethod)(?=[\s/>])([^<>]*)/g;
const attributeTags = /<(?:[^\s<>/:]+:)?Attribute(?=\s)([^<>]*)/g;
const confirmations = /<(?:[^\s<>/:]+:)?SubjectConfirmationData(?=[\s/>])([^<>]*)/g;
/** Matches signatures and digests with SHA-2. SHA-1 has collisions. */
const strong =
  /^http:\/\/www\.w3\.org\/(?:2000\/09\/xmldsig|200[17]\/0[45]\/(?:xmldsig-more|xmlenc))#(?:(?:rsa|ecdsa)-)?sha(?:256|384|512)(?:-rsa-MGF1)?$/;

function attributeIn(name: string, rest: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(rest);
  return found?.[1] ?? found?.[2] ?? "none";
}

/** The usual names of the attribute with the e-mail, the likeliest first. */
const usualNames = [
  ...["email", "mail", "emailaddress", "e-mail", "user.email"],
  "urn:oid:0.9.2342.19200300.100.1.3",
  "urn:oid:1.2.840.113549.1.9.1",
  "urn:mace:dir:attribute-def:mail",
  "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
  "http://schemas.xmlsoap.org/claims/emailaddress",
];

export function findEmailAttribute(
  attributes: readonly string[],
  { protocol }: IdentityProvider,
): string {
  if (protocol.kind === "saml" && protocol.emailAttribute) return protocol.emailAttribute;
  const named = (usual: string) => attributes.find((name) => name.toLowerCase() === usual);
  return usualNames.map(named).find((name) => name !== undefined) ?? "email";
}
