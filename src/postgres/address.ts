/** The address of a database. Its file is read again for each connection, because passwords change. */
import { readFileSync } from "node:fs";
import { Fault } from "../contract/fault.ts";

export interface AddressSettings {
  /** Includes the password, if there is one. Never show it. */
  readonly url: string;
  /** The file that the address was read from. */
  readonly urlFile?: string | undefined;
}

/** @package */
export type Address = ReturnType<typeof createAddress>;

/** @package @throws Fault if the address is invalid. The Fault does not contain the address. */
export function createAddress({ url, urlFile }: AddressSettings) {
  let current = parseUrl(url);
  return {
    get current() {
      return current;
    },
    /**
     * Reads the file again.
     * @throws Fault if the file does not contain an address of the same database. Then the previous address stays in use.
     */
    read() {
      if (urlFile === undefined) return current;
      const next = parseUrl(readText(urlFile));
      if (!isSamePlace(next, current)) {
        const text = `${urlFile} names another database. Restart the node to use it.`;
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

/** Whether both addresses name the same database. Users and passwords may differ. */
function isSamePlace(one: URL, other: URL): boolean {
  return (["hostname", "port", "pathname"] as const).every((part) => one[part] === other[part]);
}

/** Errors do not show the URL, because it may contain a password. */
function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^postgres(ql)?:$/.test(parsed.protocol) && parsed.pathname.length > 1)
    return parsed;
  const form = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";
  throw new Fault("configuration", `database.url must be an address of the form ${form}`);
}

/** One function for each open database. It reads the address file of the database again. */
const renewals = new Set<() => void>();

/** @package Adds a function that reads an address file again. @returns a function that removes it. */
export function addRenewal(renew: () => void): () => void {
  renewals.add(renew);
  return () => void renewals.delete(renew);
}

/** Reads the address files of all open databases again, for new connections. @throws Fault like `Address.read`. */
export function renewAddresses(): void {
  for (const renew of renewals) renew();
}
