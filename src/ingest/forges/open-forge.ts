/** Opens a forge that the operator named: the client with its token, and the adapter of its kind. */
import { Fault } from "../../contract/fault.ts";
import { createForgeClient, type ForgeClientOptions } from "./adapters/client.ts";
import { knownForges } from "./known-forges.ts";
import { type ForgeSource, toForgeName } from "./sources.ts";

/** How to reach a source. None of this is stored. */
export interface ForgeAccess extends Omit<ForgeClientOptions, "source" | "api" | "createHeaders"> {
  /** Host of noreply addresses; default: as the forge shows it. */
  readonly noreplyHost?: string | undefined;
  /** Whether the token may go to a forge without TLS that is not on this machine. */
  readonly canUseHttp?: boolean | undefined;
  /** Time limit of a run; default: none. */
  readonly limitMs?: number | undefined;
  /** Longer lists are cut here; default 100,000. */
  readonly maxPeople?: number | undefined;
}

/** @returns also the first half of the keys of its accounts. @throws Fault for an address that a token must not be sent to. */
export async function openForge(source: ForgeSource, access: ForgeAccess) {
  const { id, kind, url } = source;
  const { hostname, protocol } = new URL(url);
  if (protocol === "http:" && !isLoopback(hostname) && !access.canUseHttp) {
    throw new Fault(
      "configuration",
      `the url of source ${id} must begin with https://: over http the token and the people would be readable on the way`,
    );
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
