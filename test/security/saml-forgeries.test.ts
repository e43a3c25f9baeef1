/**
 * Answers of a SAML provider as somebody would forge them who has one that was signed: the eight known ways to wrap a signature
 * (XSW), and what else has fooled readers of signed XML. Each begins with an answer that signs in as it is.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import {
  decode,
  encode,
  entityId,
  key,
  openSamlHouse,
  type SamlForm,
} from "../accounts/library/saml-house.ts";
import { openSamlProvider, signResponse } from "../accounts/library/saml-provider.mjs";
import { newSigningKey } from "../accounts/library/self-signed.ts";

const [victim, attacker] = ["eve@example.com", "ada@example.com"];
const stranger = openSamlProvider({ entityId, ...newSigningKey() });
const house = await openSamlHouse();
const { roster, obtain } = house;
afterAll(() => roster.close());

/** @returns who is signed in by it, or where the browser is sent. */
async function post(form: SamlForm): Promise<string> {
  const { status, visitor, at } = await house.post(form);
  expect(status).toBeLessThan(500);
  return visitor?.account.email ?? `nobody: ${at}`;
}

/** What a forger has: an answer, its signed assertion in parts, and the assertion that is wanted instead. */
interface Loot {
  readonly xml: string;
  readonly signed: string;
  /** The assertion without its signature. */
  readonly bare: string;
  readonly signature: string;
  readonly evil: string;
}

const signatures = /<ds:Signature .*?<\/ds:Signature>/s;
const within = (signature: string, part: string) =>
  signature.replace("</ds:Signature>", `${part}</ds:Signature>`);
const idOf = (xml: string) => /ID="([^"]+)"/.exec(xml)?.[1] as string;

function take(xml: string): Loot {
  const signed = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] as string;
  const signature = signatures.exec(signed)?.[0] as string;
  const bare = signed.replace(signature, "");
  const evil = bare.replaceAll(attacker, victim).replace(idOf(bare), "_evil");
  return { xml, signed, bare, signature, evil };
}

/** Signs a complete answer. @returns its parts. */
function takeSignedResponse(xml: string) {
  const whole = signResponse(xml, key);
  const signature = signatures.exec(whole)?.[0] as string;
  const bare = whole.replace(signature, "");
  const { signed, evil } = take(xml);
  const evilRoot = bare.replace(idOf(bare), "_root").replace(signed, evil);
  const put = (part: string) =>
    evilRoot.replace("</saml:Issuer><samlp:Status>", `</saml:Issuer>${part}<samlp:Status>`);
  return { bare, signature, put };
}

const wrapped: Record<string, (loot: Loot) => string> = {
  "XSW1: the signed response in the signature of another": ({ xml }) => {
    const { bare, signature, put } = takeSignedResponse(xml);
    return put(within(signature, bare));
  },
  "XSW2: the signed response before the signature in another": ({ xml }) => {
    const { bare, signature, put } = takeSignedResponse(xml);
    return put(bare + signature);
  },
  "XSW3: another assertion before the signed one": ({ xml, signed, evil }) =>
    xml.replace(signed, evil + signed),
  "XSW4: the signed assertion in another": ({ xml, signed, evil }) =>
    xml.replace(signed, evil.replace("</saml:Assertion>", `${signed}</saml:Assertion>`)),
  "XSW5: a changed assertion with the signature, the right one at the end": (loot) =>
    loot.xml.replace(loot.signed, keepSignature(loot, loot.signature) + loot.bare),
  "XSW6: a changed assertion with the signature, the right one in that": (loot) =>
    loot.xml.replace(loot.signed, keepSignature(loot, within(loot.signature, loot.bare))),
  "XSW7: another assertion among the extensions": ({ xml, evil }) =>
    xml.replace("<samlp:Status>", `<samlp:Extensions>${evil}</samlp:Extensions>$&`),
  "XSW7, turned round: the signed one among the extensions": ({ xml, signed, evil }) =>
    xml
      .replace(signed, evil)
      .replace("<samlp:Status>", `<samlp:Extensions>${signed}</samlp:Extensions>$&`),
  "XSW8: another assertion in an object of the signature": ({ xml, signed, signature, evil }) =>
    xml.replace(
      signed,
      signed.replace(signature, within(signature, `<ds:Object>${evil}</ds:Object>`)),
    ),
  "XSW8, turned round: the right one in an object": (loot) => {
    const object = `<ds:Object>${loot.bare}</ds:Object>`;
    return loot.xml.replace(loot.signed, keepSignature(loot, within(loot.signature, object)));
  },
  "another assertion of the same id": ({ xml, signed, evil }) =>
    xml.replace(signed, signed + evil.replace("_evil", idOf(signed))),
  "an unsigned response with the signed one beside it": ({ xml, signed, evil }) =>
    `<all>${xml.replace(signed, evil)}${xml}</all>`,
  "no signature": ({ xml, signed, evil }) => xml.replace(signed, evil),
  "a name changed after it was signed": ({ xml }) => xml.replaceAll(attacker, victim),
  "a name cut by a comment": ({ xml }) => xml.replaceAll(attacker, `${victim}<!---->.${attacker}`),
  "what is no XML": () => "<not xml",
  "a name before a processing instruction": ({ xml }) =>
    xml.replaceAll(`>${attacker}`, `>${victim}<?x ?>${attacker}`),
};

/** The assertion that is wanted, with the signature at its place. */
const keepSignature = ({ evil }: Loot, signature: string) =>
  evil.replace("<saml:Subject>", `${signature}<saml:Subject>`);

const entity = (body: string) => (xml: string) => `<!DOCTYPE r [${body}]>${xml}`;
const laughs = Array.from({ length: 12 }, (_, n) => {
  const before = n === 0 ? "ha" : `&l${n - 1};`.repeat(10);
  return `<!ENTITY l${n} "${before}">`;
}).join("");

const confused: Record<string, (loot: Loot) => string | Promise<string>> = {
  "HMAC with the certificate as its secret": (loot) => confuse(loot, key.certificate),
  "an empty signature": (loot) =>
    loot.xml.replace(
      loot.signed,
      keepSignature(loot, loot.signature.replace(/(<ds:SignatureValue>)[^<]*/, "$1")),
    ),
  "a signature without references": (loot) =>
    loot.xml.replace(
      loot.signed,
      keepSignature(loot, loot.signature.replace(/<ds:Reference .*<\/ds:Reference>/s, "")),
    ),
  "a reference to the whole document": (loot) =>
    loot.xml.replace(
      loot.signed,
      keepSignature(loot, loot.signature.replace(/URI="[^"]*"/, 'URI=""')) + loot.bare,
    ),
  "the digest of another behind a comment": (loot) => withForeignDigest(loot, "$1<!--$2-->$3"),
  "the digest of another in a comment's place": (loot) => withForeignDigest(loot, "$1$2<!--$3-->"),
  "two lists of what is signed, the wrong one first": (loot) => withTwoLists(loot, "first"),
  "two lists of what is signed, the wrong one last": (loot) => withTwoLists(loot, "last"),
  "a stranger": async (loot) => decode(await strange(loot)),
  "the signature of a stranger, with the right certificate": async (loot) => {
    const { signed, signature } = take(decode(await strange(loot)));
    const certificate = /<ds:KeyInfo>.*<\/ds:KeyInfo>/s;
    const [right = ""] = certificate.exec(loot.signature) ?? [];
    return loot.xml.replace(
      loot.signed,
      signed.replace(signature, signature.replace(certificate, right)),
    );
  },
  "the stranger's signature and the right one": async (loot) => {
    const { signed } = take(decode(await strange(loot)));
    return loot.xml.replace(
      loot.signed,
      signed.replace("<saml:Subject>", `${loot.signature}<saml:Subject>`),
    );
  },
  "entities without end": ({ xml }) => entity(laughs)(xml.replaceAll(attacker, "&l11;")),
  "a name that is an entity": ({ xml, signed, evil }) =>
    entity(`<!ENTITY e "${victim}">`)(xml.replace(signed, evil.replaceAll(victim, "&e;"))),
  "an entity that is a file": ({ xml }) =>
    entity('<!ENTITY e SYSTEM "file:///etc/hostname">')(xml.replaceAll(attacker, "&e;")),
};

/** The same assertion for the victim, signed by a stranger. */
const strange = ({ signed }: Loot) =>
  obtain(victim, { changes: { AssertionID: idOf(signed) }, from: stranger });

/** Signs a forged assertion by HMAC, with the public certificate as the secret. */
function confuse(loot: Loot, secret: string): string {
  const hmac = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256";
  const changed = loot.signature.replace(/[^"]*rsa-sha256/, hmac);
  const [info = ""] = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(changed) ?? [];
  const canonical = info
    .replace("<ds:SignedInfo>", '<ds:SignedInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">')
    .replace(/<(ds:\w+)([^<>]*)\/>/g, "<$1$2></$1>");
  const value = createHmac("sha256", secret).update(canonical).digest("base64");
  const resigned = changed.replace(/(<ds:SignatureValue>)[^<]*/, `$1${value}`);
  return loot.xml.replace(loot.signed, loot.signed.replace(loot.signature, resigned));
}

const digest = /(<ds:DigestValue>)([^<]*)/;

/** @param form of the digest: $2 is that of what is wanted, $3 the one that was signed. */
async function withForeignDigest(loot: Loot, form: string): Promise<string> {
  const { signed, signature } = take(decode(await strange(loot)));
  const [, , wanted = ""] = digest.exec(signature) ?? [];
  const forged = loot.signature.replace(digest, (_, open: string, right: string) =>
    form.replace("$1", open).replace("$2", wanted).replace("$3", right),
  );
  return loot.xml.replace(loot.signed, signed.replace(signature, forged));
}

async function withTwoLists(loot: Loot, place: "first" | "last"): Promise<string> {
  const list = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s;
  const { signed, signature } = take(decode(await strange(loot)));
  const [wrong = ""] = list.exec(signature) ?? [];
  const forged = loot.signature.replace(list, (right) =>
    place === "first" ? wrong + right : right + wrong,
  );
  return loot.xml.replace(loot.signed, signed.replace(signature, forged));
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
const misplaced: Record<string, () => Readonly<Record<string, string>>> = {
  "for another audience": () => ({ Audience: "https://other.example" }),
  "for another recipient": () => ({ SubjectRecipient: "https://other.example/acs" }),
  "of another issuer": () => ({ Issuer: "https://other.example" }),
  "to a request that nobody made": () => ({ InResponseTo: "_nobody" }),
  "to no request": () => ({ InResponseTo: "" }),
  "that has expired": () => ({
    ConditionsNotOnOrAfter: anHourAgo(),
    SubjectConfirmationDataNotOnOrAfter: anHourAgo(),
  }),
  "whose confirmation has expired": () => ({ SubjectConfirmationDataNotOnOrAfter: anHourAgo() }),
  "whose confirmation has no end": () => ({ SubjectConfirmationDataNotOnOrAfter: "" }),
  "that is not valid yet": () => ({ ConditionsNotBefore: inAnHour() }),
  "that says it failed": () => ({ StatusCode: "urn:oasis:names:tc:SAML:2.0:status:AuthnFailed" }),
};

describe("a SAML answer", () => {
  test("signs in as it is, and as the provider signs it twice", async () => {
    expect(await post(await obtain(attacker))).toBe(attacker);
    const form = await obtain(attacker);
    expect(await post(encode(form, signResponse(decode(form), key)))).toBe(attacker);
  });

  for (const [name, forge] of Object.entries({ ...wrapped, ...confused })) {
    test(`forged by ${name} signs the victim in nowhere`, async () => {
      const form = await obtain(attacker);
      const forged = await forge(take(decode(form)));
      expect(forged).not.toBe(decode(form));
      expect(await post(encode(form, forged))).not.toBe(victim);
      expect(await roster.modules.accounts.find(victim)).toBeUndefined();
    });
  }

  for (const [name, change] of Object.entries(misplaced)) {
    test(`${name} signs nobody in`, async () => {
      expect(await post(await obtain(attacker, { changes: change() }))).toStartWith("nobody: ");
    });
  }

  test("about an e-mail that a comment cuts is about the complete one, as it was signed", async () => {
    const form = await obtain(`${victim}.other.example`);
    const cut = decode(form).replaceAll(`${victim}.`, `${victim}<!---->.`);
    expect(await post(encode(form, cut))).toStartWith("nobody: ");
  });

  test("about an e-mail of a domain that the provider may not speak for signs nobody in", async () => {
    const email = "admin@elsewhere.example";
    expect(await post(await obtain(email))).toStartWith("nobody: ");
    expect(await roster.modules.accounts.find(email)).toBeUndefined();
  });

  test("works once, of many at the same instant too, and under no request of somebody else's", async () => {
    const form = await obtain(attacker);
    const ends = await Promise.all(Array.from({ length: 8 }, () => post(form)));
    expect(ends.filter((end) => end === attacker).length).toBe(1);
    const other = decode(await obtain(attacker));
    const moved = decode(form).replace(
      /InResponseTo="[^"]+"/,
      /InResponseTo="[^"]+"/.exec(other)?.[0] as string,
    );
    expect(await post(encode(form, moved))).toStartWith("nobody: ");
  });
});
