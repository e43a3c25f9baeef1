/** Posts one signed message. The address that is connected to is the one that was checked. */
import { lookup } from "node:dns/promises";
import { isWithin, parseIp, parseNetwork } from "../network/ip-address.ts";
import { createSignature } from "../network/standard-signature.ts";

export interface Posting {
  readonly url: string;
  /** Whether the address may be on this machine or on its link. */
  readonly isLocal: boolean;
  /** As `whsec_` and base64. */
  readonly secret: string;
  readonly id: string;
  readonly body: string;
  readonly at: Date;
  readonly signal: AbortSignal;
  /** The certificates that prove the server. Default: those that the machine trusts. */
  readonly ca?: string;
}

/** @returns the status of the answer. @throws Error that says in words why there is none. */
export async function sendMessage(posting: Posting): Promise<number> {
  const { url, isLocal, secret, id, body, at, signal, ca } = posting;
  const target = new URL(url);
  const name = target.hostname.replace(/^\[|\]$/g, "");
  const address = await findAddress(name, isLocal, signal);
  const seconds = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const headers = {
    "content-type": "application/json",
    "user-agent": "Roster",
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": createSignature(key, { id, seconds, body }),
    host: target.host,
  };
  target.hostname = address.includes(":") ? `[${address}]` : address;
  // Each has a connection of its own, because a kept one may be closed by the other side.
  const options = { method: "POST", headers, body, signal, redirect: "manual", keepalive: false };
  const answer = await fetch(target, {
    ...(options as RequestInit),
    tls: { serverName: name, ...(ca !== undefined && { ca }) },
  });
  await answer.body?.cancel();
  return answer.status;
}

/** Addresses that lead to this machine, or to what a cloud gives each of its machines. */
const localNetworks = [
  ...["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/128", "::1/128", "fe80::/10"],
  // The addresses of a cloud's own services that are not link-local.
  ...["100.100.100.200", "192.0.0.192", "fd00:ec2::254"],
].flatMap((text) => parseNetwork(text) ?? []);

/** Whether a host is an address of this machine or its link, or the name of this machine. */
export function isLocalHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const ip = parseIp(name);
  if (!ip) return /(^|\.)localhost$/i.test(name);
  return localNetworks.some((network) => isWithin(ip, network));
}

async function findAddress(name: string, isLocal: boolean, signal: AbortSignal): Promise<string> {
  const found = parseIp(name) ? [name] : await findAddresses(name, signal);
  const allowed = found.find((address) => isLocal || !isLocalHost(address));
  if (allowed !== undefined) return allowed;
  throw new Error("its address is on this machine or its link, which it may not be");
}

async function findAddresses(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const found = lookup(name, { all: true }).catch(() => []);
    const addresses = await Promise.race([found, promise]);
    if (addresses.length > 0) return addresses.map(({ address }) => address);
  } finally {
    signal.removeEventListener("abort", stop);
  }
  throw new Error("its host has no address");
}
