/** An RSA key and its self-signed certificate (X.509, DER by hand: nothing else here needs an encoder). */
import { createSign, generateKeyPairSync } from "node:crypto";

export interface SigningKey {
  readonly privateKey: string;
  readonly certificate: string;
}

export function newSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const sha256WithRsa = seq(oid([42, 134, 72, 134, 247, 13, 1, 1, 11]), der(5));
  const name = seq(der(49, seq(oid([85, 4, 3]), der(12, Buffer.from("test provider")))));
  const utc = (text: string) => der(23, Buffer.from(text));
  const validity = seq(utc("200101000000Z"), utc("491231235959Z"));
  const serial = der(2, Buffer.from([1]));
  const body = seq(serial, sha256WithRsa, name, validity, name, spki);
  const signature = createSign("sha256").update(body).sign(privateKey);
  const certificate = seq(
    body,
    sha256WithRsa,
    der(3, Buffer.concat([Buffer.from([0]), signature])),
  );
  const lines = certificate.toString("base64").replace(/(.{64})/g, "$1\n");
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer = Buffer.alloc(0)): Buffer {
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const seq = (...parts: Buffer[]) => der(48, Buffer.concat(parts));
const oid = (bytes: number[]) => der(6, Buffer.from(bytes));
