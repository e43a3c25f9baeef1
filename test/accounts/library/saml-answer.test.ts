/** What is read of a SAML answer before its signature is checked: hostile text, in time that its length sets. */
import { expect, test } from "bun:test";
import { readSamlAnswer } from "../../../src/accounts/sign-in/saml-answer.ts";

const read = (...xml: string[]) =>
  readSamlAnswer(
    new URLSearchParams(
      xml.map((one): [string, string] => ["SAMLResponse", Buffer.from(one).toString("base64")]),
    ).toString(),
  );
const sha256 = "http://www.w3.org/2001/04/xmlenc#sha256";
const sha1 = "http://www.w3.org/2000/09/xmldsig#sha1";
const good = `<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><ds:DigestMethod Algorithm="${sha256}"/>`;

test.each([
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
  "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384",
  "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
  "http://www.w3.org/2001/04/xmlenc#sha512",
  "http://www.w3.org/2001/04/xmldsig-more#sha384",
])("%s is strong", (algorithm) => {
  expect(read(`<SignatureMethod Algorithm='${algorithm}'/>`).weakAlgorithm).toBeUndefined();
});

test.each([
  [`${good}<ds:DigestMethod Algorithm="${sha1}"/>`, sha1],
  [`${good}<DigestMethod\n Algorithm = '${sha1}' ></DigestMethod>`, sha1],
  [`${good}<é:DigestMethod Algorithm="${sha1}"/>`, sha1],
  [`${good}<ds:DigestMethod xAlgorithm="${sha256}" Algorithm="${sha1}"/>`, sha1],
  [`${good}<ds:DigestMethod Algorithm="${sha256.replace("6", "&#54;")}"/>`, expect.any(String)],
  [`${good}<ds:DigestMethod x=">" Algorithm="${sha1}"/>`, "none"],
  [`${good}<ds:SignatureMethod/>`, "none"],
  [`${good}<ds:SignatureMethod Algorithm="${sha256}-not"/>`, `${sha256}-not`],
  [
    `${good}<ds:SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#hmac-sha256"/>`,
    expect.any(String),
  ],
])("in %s something is weak", (xml, weak) => {
  expect(read(xml).weakAlgorithm).toEqual(weak);
});

test("a weak one is seen in any of several answers", () => {
  expect(read(good, `<DigestMethod Algorithm="${sha1}"/>`).weakAlgorithm).toBe(sha1);
});

test("attributes are told by their names, not by what else is said of them", () => {
  const xml = `<saml:Attribute FriendlyName="x" NameFormat="y" Name="mail"><saml:AttributeValue Name="z"/></saml:Attribute><Attribute Name='groups'/>`;
  expect(read(xml).attributes).toEqual(["mail", "groups"]);
});

test("a megabyte of anything is read through", () => {
  for (const part of ["<Attribute ", "<a:", "<DigestMethod ", "<Attribute Name=", 'Name="', "<"]) {
    expect(() => read(part.repeat(1_000_000 / part.length))).not.toThrow();
  }
});
