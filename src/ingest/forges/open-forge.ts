/** Opens a forge: a client with the operator's token, and the adapter for its kind. */
import { Fault } from "../../contract/fault.ts";
import { createForgeClient, type ForgeClientOptions } from "./adapters/client.ts";
import { knownForges } from "./known-forges.ts";
import { type ForgeSource, toForgeName } from "./sources.ts";

/** How to reach a source. None of these values is stored. */
export interface ForgeAccess extends Omit<ForgeClientOptions, "source" | "api" | "createHeaders"> {
  /** Host of the forge's noreply addresses; default: the host that the forge shows. */
  readonly noreplyHost?: string | undefined;
  /** Whether the token may be sent without TLS to a forge on another machine. */
  readonly canUseHttp?: boolean | undefined;
  /** Time limit of a run in milliseconds; default: none. */
  readonly limitMs?: number | undefined;
  /** The most people of a source; longer lists are cut. Default: 100,000. */
  readonly maxPeople?: number | undefined;
}

/** @returns the adapter, the client and the forge's name. @throws Fault if the token must not be sent to the address. */
export async function openForge(source: ForgeSource, access: ForgeAccess) {
  const { id, kind, url } = source;
  const { hostname, protocol } = new URL(url);
  if (protocol === "http:" && !isLoopback(hostname) && !access.canUseHttp) {
    const message = `the url of source ${id} must begin with https://: over http, others could read the token and the answers`;
    throw new Fault("configuration", message);
  }
  const { getApi, createHeaders, createAdapter } = await knownForges[kind].load();
  const client = createForgeClient({ ...access, source: id, api: getApi(url), createHeaders });
  const adapter = createAdapter(client, url);
  const noreplyHost = () => access.noreplyHost ?? adapter.noreplyHost();
  return { client, adapter: { ...adapter, noreplyHost }, forge: toForgeName(url) };
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
