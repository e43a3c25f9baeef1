/** Opens a forge that the operator named: the client with its token, and the adapter of its kind. */
import { Fault } from "../../../contract/fault.ts";
import type { ForgeAdapter, ForgeKind } from "../forge.ts";
import { type ForgeSource, toForgeName } from "../forge-ledger.ts";
import type { MirrorSettings } from "../mirror-repositories.ts";
import { createForgeClient, type ForgeClient, type ForgeClientOptions } from "./client.ts";
import { createGiteaAdapter, getGiteaApi } from "./gitea.ts";
import { createGithubAdapter, getGithubApi } from "./github.ts";
import { createGitlabAdapter, getGitlabApi } from "./gitlab.ts";

/** How a source is asked: nothing of this is stored. */
export interface ForgeAccess
  extends Pick<
    ForgeClientOptions,
    "token" | "authorities" | "requestsPerHour" | "waitMax" | "signal" | "timeout" | "clock"
  > {
  /** Host of noreply addresses; default: as the forge shows it. */
  readonly noreplyHost?: string | undefined;
  /** Whether the token may go to a forge without TLS that is not on this machine. */
  readonly canUseHttp?: boolean | undefined;
  /** How long the whole may take; default: as long as it does. */
  readonly limitMs?: number | undefined;
  /** Default 100,000: a longer list is left where it is. */
  readonly maxPeople?: number | undefined;
  /** Proxies and authorities, for git. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Default: no repository is mirrored. */
  readonly mirror?: MirrorSettings | undefined;
}

interface OpenForge {
  readonly client: ForgeClient;
  readonly adapter: ForgeAdapter;
  /** The first half of the keys of its accounts: host, port and path. */
  readonly forge: string;
}

const kinds: Record<
  ForgeKind,
  {
    readonly getApi: (url: string) => string;
    readonly createAdapter: (client: ForgeClient, url: string) => ForgeAdapter;
  }
> = {
  gitea: { getApi: getGiteaApi, createAdapter: createGiteaAdapter },
  github: { getApi: getGithubApi, createAdapter: createGithubAdapter },
  gitlab: { getApi: getGitlabApi, createAdapter: createGitlabAdapter },
};

/** @throws Fault for an address that a token must not be sent to. */
export function openForge(source: ForgeSource, access: ForgeAccess): OpenForge {
  const { id, kind, url } = source;
  const { hostname, protocol } = new URL(url);
  if (protocol === "http:" && !isLoopback(hostname) && !access.canUseHttp) {
    throw new Fault(
      "configuration",
      `the url of source ${id} must begin with https://: over http the token and the people would be readable on the way`,
    );
  }
  const { getApi, createAdapter } = kinds[kind];
  const client = createForgeClient({ ...access, source: id, kind, api: getApi(url) });
  const adapter = createAdapter(client, url);
  const noreplyHost = () => access.noreplyHost ?? adapter.noreplyHost();
  return { client, adapter: { ...adapter, noreplyHost }, forge: toForgeName(url) };
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
