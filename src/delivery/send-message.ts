/** Posts one signed message. The address that is connected to is the one that was checked. */
import { createHmac } from "node:crypto";
import { lookup } from "node:dns/promises";
import { isWithin, parseIp, parseNetwork } from "../network/ip-address.ts";
import { createSignature } from "../network/standard-signature.ts";

interface Posting {
  readonly url: string;
  /** Whether the address may be on this machine or on its link. */
  readonly isLocal: boolean;
  /** As `whsec_` and base64. */
  readonly secret: string;
  readonly id: string;
  readonly body: string;
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** @returns why the target has not taken it. @throws Error that says in words why there is no answer. */
export async function sendMessage(posting: Posting): Promise<string | undefined> {
  const { url, isLocal, secret, id, body, at, signal } = posting;
  const target = new URL(url);
  const serverName = target.hostname.replace(/^\[|\]$/g, "");
  const address = await findAddress(serverName, isLocal);
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
  const answer = await fetch(target, { ...(options as RequestInit), tls: { serverName } });
  await answer.body?.cancel();
  return answer.ok ? undefined : `it answered ${answer.status}`;
}

/** Derives the secret of a webhook, so that no database contains it, and each node knows it. */
export const deriveSecret = (secret: string, id: string): string =>
  `whsec_${createHmac("sha256", secret).update(`webhook ${id}`).digest("base64")}`;

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

const lookupMs = 5000;

async function findAddress(name: string, isLocal: boolean): Promise<string> {
  const looking = lookup(name, { all: true }).catch(() => []);
  const found = await Promise.race([looking, Bun.sleep(lookupMs).then(() => [])]);
  const allowed = found.find(({ address }) => isLocal || !isLocalHost(address));
  if (allowed) return allowed.address;
  if (found.length === 0) throw new Error("its host has no address");
  throw new Error("its address is on this machine or its link, which it may not be");
}
