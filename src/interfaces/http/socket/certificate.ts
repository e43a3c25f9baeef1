/** Reads and watches the files of the TLS certificate and key. The files may be replaced while the server runs. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { Fault } from "../../../contract/fault.ts";
import type { Log } from "../../../operations/log-call.ts";

export interface CertificateFiles {
  /** Path of a PEM file with the certificate, followed by the intermediate certificates. */
  readonly certFile: string;
  readonly keyFile: string;
}

interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** @package @throws Fault that names the unusable file and what is wrong. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): CertificatePair {
  const cert = readText("tls.certFile", certFile);
  const key = readText("tls.keyFile", keyFile);
  const certificate = parse("tls.certFile", certFile, () => new X509Certificate(cert));
  const secret = parse("tls.keyFile", keyFile, () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(secret)) {
    throw new Fault("configuration", `tls.keyFile: ${keyFile} is not the key of ${certFile}.`);
  }
  return { cert, key };
}

function readText(setting: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Fault("configuration", `${setting}: ${(error as Error).message}`, { cause: error });
  }
}

function parse<Parsed>(setting: string, path: string, read: () => Parsed): Parsed {
  try {
    return read();
  } catch (error) {
    const text = `${setting}: ${path} is not a PEM file that can be read without a passphrase.`;
    throw new Fault("configuration", text, { cause: error });
  }
}

const lookEveryMs = 5000;

/**
 * @package Watches the certificate and key files, and passes on each new pair. While certificate and key do not match, the
 * earlier pair stays in use.
 * @returns a function that ends the watch.
 */
export function watchCertificate(
  files: CertificateFiles,
  take: (pair: CertificatePair) => void,
  { log, everyMs = lookEveryMs }: { readonly log: Log; readonly everyMs?: number | undefined },
): () => void {
  let seen = readStamps(files);
  const timer = setInterval(() => {
    const now = readStamps(files);
    if (now === seen) return;
    seen = now;
    try {
      take(readCertificate(files));
      log.info(files, "the new certificate is in use");
    } catch (err) {
      log.error({ err }, "the new certificate cannot be used; the previous one stays in use");
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function readStamps({ certFile, keyFile }: CertificateFiles): string {
  const stamps = [certFile, keyFile].map((path) => {
    const file = statSync(path, { throwIfNoEntry: false });
    return [file?.ino, file?.size, file?.mtimeMs].join(" ");
  });
  return stamps.join();
}
