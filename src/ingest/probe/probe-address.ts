/** Asks an address what it is, and what would be read from there. Nothing is stored. */
import { lookup } from "node:dns/promises";
import { BlockList } from "node:net";
import { isFault } from "../../contract/fault.ts";
import { type ForgeKind, forgeKinds } from "../../contract/forge-kinds.ts";
import { isGitAddress, parseGitAddress } from "../../contract/git-address.ts";
import { createForgeClient } from "../forges/adapters/client.ts";
import {
  countForgeLists,
  findForgeOwner,
  forgeQuestions,
  isForge,
  readForgeAccount,
  readForgeProduct,
} from "../forges/adapters/forge-questions.ts";
import { ForgeDenial } from "../forges/forge.ts";
import { knownForges } from "../forges/known-forges.ts";
import { FetchFault } from "../mirrors/explain-fetch.ts";
import { type AddressAccess, readTips } from "../mirrors/fetch-addresses.ts";
import { explainProbe } from "./explain-probe.ts";
import type { SourceFinding } from "./source-finding.ts";

export interface AddressProbe extends AddressAccess {
  /** As somebody typed it: `github.com/acme`, `https://git.corp.example`, `git@git.corp.example:acme/tool`. */
  readonly address: string;
  readonly token: string | undefined;
}

/** The number of answers that may take their whole time. */
const slowAnswersMax = 3;

/**
 * Sends the token only to the host of the address, and only after the host has answered as a forge, or if git asks it.
 * @param given `timeoutMs` limits each answer; default: 10 seconds. @throws the signal's reason when it is aborted.
 */
export async function probeAddress(given: AddressProbe): Promise<SourceFinding> {
  const { address, timeoutMs = 10_000, signal } = given;
  const timer = AbortSignal.timeout(timeoutMs * slowAnswersMax);
  const probe = { ...given, timeoutMs, signal: signal ? AbortSignal.any([signal, timer]) : timer };
  let host = "";
  try {
    const { url, path, ...target } = parseTarget(address.trim());
    ({ host } = target);
    await refuseLinkLocal(host, timeoutMs);
    const forge = path && (await findForge(probe, url, path));
    if (forge) return await describeForge(probe, forge);
    if (path?.length !== 0) return await findRepository(probe, url);
    throw new FetchFault("HOST is no GitHub, GitLab, Gitea or Forgejo.", wanted);
  } catch (error) {
    signal?.throwIfAborted();
    return { ok: false, ...explainProbe(error, host) };
  }
}

const wanted =
  "Type the address of a forge, an organization or a repository, such as https://github.com/acme.";

interface Target {
  /** With the port. */
  readonly host: string;
  readonly url: string;
  /** The parts of the path; undefined if only git can read the address. */
  readonly path?: readonly string[];
}

/** Messages do not repeat what was typed, because it may contain a secret. */
function parseTarget(text: string): Target {
  if (isGitAddress(text) && !/^https?:/i.test(text)) return parseGitAddress(text);
  const whole = /^https?:/i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  const path = url?.pathname.split("/").filter((part) => part !== "") ?? [];
  const isPlain = url && /^[\w.[\]:-]+$/.test(url.host) && /^[\w.~+/-]*$/.test(path.join("/"));
  if (!isPlain) throw new FetchFault("This is no address that Roster can ask.", wanted);
  if (url.username + url.password !== "") {
    throw new FetchFault("An address has no user and no password.", "Type a token into its field.");
  }
  return { host: url.host, path, url: [url.origin, ...path].join("/") };
}

const linkLocal = new BlockList();
linkLocal.addSubnet("169.254.0.0", 16);
linkLocal.addSubnet("fe80::", 10, "ipv6");

/** Refuses link-local addresses, because clouds give their machines secrets there. */
async function refuseLinkLocal(host: string, timeoutMs: number): Promise<void> {
  const name = new URL(`ssh://${host}`).hostname.replace(/^\[|\]$/g, "");
  // A name that is unknown here may be known to a proxy. Otherwise the request fails.
  const found = lookup(name, { all: true }).catch(() => []);
  const addresses = await Promise.race([found, Bun.sleep(timeoutMs).then(() => [])]);
  if (addresses.some(({ address, family }) => linkLocal.check(address, `ipv${family as 4 | 6}`))) {
    throw new FetchFault("HOST is a link-local address.", "Type the name of a server.");
  }
}

interface FoundForge {
  readonly kind: ForgeKind;
  /** The address where people open the forge. */
  readonly base: string;
  /** The parts of the path below the base. */
  readonly path: readonly string[];
}

/** The most parts of the path that may belong to the forge's own address. */
const basePartsMax = 2;

/** Looks for a forge at the host and below it, without the token. */
async function findForge(
  probe: AddressProbe,
  url: string,
  path: readonly string[],
): Promise<FoundForge | undefined> {
  for (let parts = 0; parts <= Math.min(path.length, basePartsMax); parts++) {
    const base = [new URL(url).origin, ...path.slice(0, parts)].join("/");
    const isKind = await Promise.all(
      forgeKinds.map(async (kind) => {
        const client = await openClient({ ...probe, token: undefined }, kind, base);
        return isForge(client, kind).catch(passNonsense);
      }),
    );
    const kind = forgeKinds.find((_, at) => isKind[at]);
    if (kind) return { kind, base, path: path.slice(parts) };
  }
  return undefined;
}

/** An answer that is no JSON is from no forge. A fault of the connection has a cause. */
function passNonsense(error: unknown): boolean {
  if (isFault(error, "forge") && error.cause === undefined) return false;
  throw error;
}

async function openClient(probe: AddressProbe, kind: ForgeKind, base: string) {
  const { getApi, createHeaders } = await knownForges[kind].load();
  const { token, authorities, signal, timeoutMs: timeout } = probe;
  const [source, api] = [new URL(base).host, getApi(base)];
  const options = { source, api, token, createHeaders, authorities, signal, timeout, waitMax: 0 };
  return createForgeClient({ ...options, attempts: 1 });
}

async function describeForge(probe: AddressProbe, forge: FoundForge) {
  try {
    return await askForge(probe, forge);
  } catch (error) {
    if (!isFault(error, "forge_token") && !(error instanceof ForgeDenial)) throw error;
    const reason = probe.token === undefined ? "HOST needs a token." : "HOST refuses this token.";
    const { rights } = forgeQuestions[forge.kind];
    throw new FetchFault(reason, `Make one there with ${rights}, and type it here.`, "token");
  }
}

async function askForge(probe: AddressProbe, { kind, base, path }: FoundForge) {
  const { needsToken, all } = forgeQuestions[kind];
  const client = await openClient(probe, kind, base);
  const hasToken = probe.token !== undefined;
  const account = hasToken ? await readForgeAccount(client, kind) : { account: undefined };
  const about = {
    ok: true,
    kind,
    url: base,
    product: await readForgeProduct(client, kind),
    ...account,
  } as const;
  const names = trimPath(kind, path);
  const name = names.join("/");
  const mayOwn = names.length === 1 || (kind === "gitlab" && names.length > 1);
  const owner = mayOwn ? await findForgeOwner(client, kind, name) : undefined;
  if (!owner && names.length > 1) {
    const { url, kind, examples, choices } = await findRepository(probe, `${base}/${name}`);
    return { ...about, url, kind, examples, choices };
  }
  if (!owner && names.length > 0) {
    const reason = `HOST shows nobody named ${name}${hasToken ? "" : " without a token"}.`;
    throw new FetchFault(reason, "Type the name of an organization or a person there.");
  }
  if (needsToken && !hasToken) throw new ForgeDenial();
  if (!owner && base === knownForges[kind].url) {
    throw new FetchFault("HOST has too many people to read all.", wanted);
  }
  const { select = "all", lists = all, repositories } = owner ?? {};
  const { counts, examples } = lists
    ? await countForgeLists(client, lists)
    : { counts: {}, examples: [] };
  const label = owner ? name : `Everybody at ${new URL(base).host}`;
  return {
    ...about,
    choices: [{ select, label, ...counts, ...(repositories && { repositories }) }],
    examples,
  };
}

/** Removes the parts of a page's address that belong to no name. */
function trimPath(kind: ForgeKind, path: readonly string[]): readonly string[] {
  const names = /^(orgs?|groups|users)$/.test(path[0] ?? "") ? path.slice(1) : path;
  if (kind !== "gitlab") return names.slice(0, names === path ? 2 : 1);
  return names.includes("-") ? names.slice(0, names.indexOf("-")) : names;
}

async function findRepository(probe: AddressProbe, typed: string) {
  const address = parseGitAddress(typed, ["http"]);
  const { url } = await readTips({ address, readToken: () => probe.token }, probe);
  const examples = [address.place.replace(/^[^/]*\/|\.git$/g, "")];
  const found = { ok: true, kind: "git", url, product: "git", account: undefined } as const;
  return { ...found, choices: [], examples };
}
