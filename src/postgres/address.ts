/** The address of a database, and the file that holds it: read again for each connection, since passwords are replaced. */
import { readFileSync } from "node:fs";
import { Fault } from "../contract/fault.ts";

export interface AddressSettings {
  /** With the password, if there is one: never shown. */
  readonly url: string;
  /** Where it was read. */
  readonly urlFile?: string | undefined;
}

/** @package */
export interface Address {
  readonly current: URL;
  /**
   * Reads the file again.
   *
   * @throws Fault when there is no address in it, or that of another database: then nothing has changed.
   */
  read(): URL;
}

/** @package @throws Fault that does not show the address. */
export function createAddress({ url, urlFile }: AddressSettings): Address {
  let current = parseUrl(url);
  return {
    get current() {
      return current;
    },
    read() {
      if (urlFile === undefined) return current;
      const next = parseUrl(readText(urlFile));
      if (!isSamePlace(next, current)) {
        const text = `${urlFile} names another database: a node is started anew for that.`;
        throw new Fault("configuration", text);
      }
      current = next;
      return current;
    },
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new Fault("configuration", `database.url: ${(error as Error).message}`, { cause: error });
  }
}

/** What the nodes of one database have in common; user, password and how it is reached may change. */
function isSamePlace(one: URL, other: URL): boolean {
  return (["hostname", "port", "pathname"] as const).every((part) => one[part] === other[part]);
}

/** It may have a password in it. */
function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^postgres(ql)?:$/.test(parsed.protocol) && parsed.pathname.length > 1)
    return parsed;
  const form = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";
  throw new Fault("configuration", `database.url must be an address of the form ${form}`);
}

/** Of the databases that this process has open. */
const renewals = new Set<() => void>();

/** @package @returns a function that ends it. */
export function addRenewal(renew: () => void): () => void {
  renewals.add(renew);
  return () => void renewals.delete(renew);
}

/** Reads the files of all open databases again, and connects anew where they changed. @throws Fault as `Address.read`. */
export function renewAddresses(): void {
  for (const renew of renewals) renew();
}
