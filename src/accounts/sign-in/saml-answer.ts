/** Reads from a SAML response what Roster checks itself. The library verifies the response's signature later. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IdentityProvider } from "../../contract/identity-provider.ts";

/** The name of the attribute that has the e-mail, in the SAML response that is being read. */
export const emailAttribute = new AsyncLocalStorage<string>();

interface SamlAnswer {
  /** The first algorithm in the response that is weak or unknown. */
  readonly weakAlgorithm: string | undefined;
  readonly attributes: readonly string[];
  /** When the first confirmation of the user expires, which the library does not check; NaN if one has no such time. */
  readonly confirmedUntilMs: number;
}

/** @param body the form that the browser posted, which has the response. */
export function readSamlAnswer(body: string): SamlAnswer {
  // If the form has several responses, all are checked, because the library may read any of them.
  const answers = new URLSearchParams(body).getAll("SAMLResponse");
  const xml = answers.map((answer) => Buffer.from(answer, "base64").toString()).join("\n");
  const algorithms = [...xml.matchAll(methods)].map(([, rest = ""]) =>
    attributeIn("Algorithm", rest),
  );
  return {
    weakAlgorithm: algorithms.find((algorithm) => !strong.test(algorithm)),
    attributes: [...xml.matchAll(attributeTags)].map(([, rest = ""]) => attributeIn("Name", rest)),
    confirmedUntilMs: Math.min(
      ...[...xml.matchAll(confirmations)].map(([, rest = ""]) =>
        Date.parse(attributeIn("NotOnOrAfter", rest)),
      ),
    ),
  };
}

// No expression matches beyond one tag, so none of them is slow on hostile text.
const methods = /<(?:[^\s<>/:]+:)?(?:SignatureMethod|DigestMethod)(?=[\s/>])([^<>]*)/g;
const attributeTags = /<(?:[^\s<>/:]+:)?Attribute(?=\s)([^<>]*)/g;
const confirmations = /<(?:[^\s<>/:]+:)?SubjectConfirmationData(?=[\s/>])([^<>]*)/g;
/** Signatures and digests with SHA-2. SHA-1 has collisions, and other algorithms are not in use. */
const strong =
  /^http:\/\/www\.w3\.org\/(?:2000\/09\/xmldsig|200[17]\/0[45]\/(?:xmldsig-more|xmlenc))#(?:(?:rsa|ecdsa)-)?sha(?:256|384|512)(?:-rsa-MGF1)?$/;

function attributeIn(name: string, rest: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(rest);
  return found?.[1] ?? found?.[2] ?? "none";
}

/** Names that providers use for the attribute with the e-mail, the likeliest first. */
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
