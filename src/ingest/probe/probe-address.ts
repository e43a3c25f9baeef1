/** Asks an address what it is, and what would be read from there. Nothing is stored. */
import { lookup } from "node:dns/promises";
import { BlockList } from "node:net";
import { Fault, isFault } from "../../contract/fault.ts";
import { type ForgeKind, forgeKinds, type SourceKind } from "../../contract/forge-kinds.ts";
import { isGitAddress, parseGitAddress } from "../../contract/git-address.ts";
import { createForgeClient } from "../forges/adapters/client.ts";
import {
  countForgeLists,
  findForgeOwner,
  forgeQuestions,
  identifyForge,
  listOwnSelections,
  readForgeAccount,
} from "../forges/adapters/forge-questions.ts";
import { ForgeDenial, ForgeOverload, ForgePause } from "../forges/forge.ts";
import { knownForges } from "../forges/known-forges.ts";
import { RepositoryFault } from "../git/repository/refusal.ts";
import { explainFetch, FetchFault } from "../mirrors/explain-fetch.ts";
import { type AddressAccess, checkRepository } from "../mirrors/fetch-addresses.ts";

/** The answer to an address and a token: what would be read from there, or what is wrong with them. */
export type SourceFinding =
  | { readonly ok: false; readonly field: "address" | "token"; readonly message: string }
  | {
      readonly ok: true;
      readonly kind: SourceKind;
      /** The base address of a forge, the address of a repository, or the absolute path of a folder. */
      readonly url: string;
      /** What answers there, such as `Gitea 1.27.1`. */
      readonly product: string;
      /** The login that the token belongs to; undefined without a token. */
      readonly account: string | undefined;
      readonly requestsPerHour?: number;
      /** The selections of people to choose from. Empty unless it is a forge. */
      readonly choices: readonly {
        /** `all`, or such as `org:acme` and `user:ada`. */
        readonly select: string;
        readonly label: string;
        readonly people?: number;
        readonly repositories?: number;
      }[];
      /** The names of some repositories, at most five. */
      readonly examples: readonly string[];
    };

interface AddressProbe extends AddressAccess {
  /** As somebody typed it: `github.com/acme`, `https://git.corp.example`, `git@git.corp.example:acme/tool`. */
  readonly address: string;
  readonly token: string | undefined;
}

/** The number of answers that may take their whole time. */
const slowAnswersMax = 3;

/**
 * Sends the token only to the host of the address: to a forge that has answered as one, or by git.
 * @param given `timeoutMs` limits each answer; default: 10 seconds. @throws the signal's reason when it is aborted.
 */
export async function probeAddress(given: AddressProbe): Promise<SourceFinding> {
  const { address, timeoutMs = 10_000, signal } = given;
  const timer = AbortSignal.timeout(timeoutMs * slowAnswersMax);
  const token = given.token || undefined;
  const stop = signal ? AbortSignal.any([signal, timer]) : timer;
  const probe = { ...given, token, timeoutMs, signal: stop };
  let host = "";
  try {
    const target = parseTarget(address.trim());
    ({ host } = target);
    await refuseLinkLocal(host, timeoutMs);
    if (target.path === undefined) return await findRepository(probe, target.url);
    const forge = await findForge({ ...probe, token: undefined }, target);
    if (!forge) return await findRepository(probe, target.url);
    return await askForge(probe, forge).catch((error: unknown) => {
      const isRefused = isFault(error, "forge_token") || error instanceof ForgeDenial;
      throw isRefused ? createTokenFault(probe, forge.kind) : error;
    });
  } catch (error) {
    signal?.throwIfAborted();
    return { ok: false, ...explainProbe(error, host, token !== undefined) };
  }
}

const wanted =
  "Type the address of a forge, an organization or a repository, such as https://github.com/acme.";
const lengthMax = 500;

/** @returns the parts of the path, unless only git can read the address. Messages do not repeat a secret that was typed. */
function parseTarget(text: string) {
  if (isGitAddress(text) && !/^https?:/i.test(text)) {
    return { ...parseGitAddress(text), path: undefined };
  }
  const whole = /^https?:/i.test(text) ? text : `https://${text}`;
  const url = text.length <= lengthMax && URL.canParse(whole) ? new URL(whole) : undefined;
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

/** The most parts of the path that may belong to the forge's own address. */
const basePartsMax = 2;

/** Looks for a forge at the host and below it. @returns undefined if git may find a repository instead. */
async function findForge(probe: AddressProbe, { url, path }: { url: string; path: string[] }) {
  const { origin } = new URL(url);
  // GitHub answers few questions without a token, and its address is known.
  const github = { kind: "github", base: origin, product: "GitHub", path } as const;
  if (origin === knownForges.github.url) return github;
  const folders = path.filter((part) => !part.endsWith(".git")).slice(0, basePartsMax);
  for (let parts = 0; parts <= folders.length; parts++) {
    const base = [origin, ...path.slice(0, parts)].join("/");
    const asked = forgeKinds.map(async (kind) => {
      const client = await openClient(probe, kind, base);
      const product = await identifyForge(client, kind).catch(passNonsense);
      return product === undefined ? [] : { kind, base, product, path: path.slice(parts) };
    });
    const [found] = (await Promise.all(asked)).flat();
    if (found) return found;
  }
  if (path.length > 0) return undefined;
  throw new FetchFault("HOST is no GitHub, GitLab, Gitea or Forgejo.", wanted);
}

/** An answer that is no JSON is from no forge. A fault of the connection has a cause. */
function passNonsense(error: unknown): undefined {
  if (!isFault(error, "forge") || error.cause !== undefined) throw error;
}

async function openClient(probe: AddressProbe, kind: ForgeKind, base: string) {
  const { getApi, createHeaders } = await knownForges[kind].load();
  const { token, authorities, signal, timeoutMs: timeout } = probe;
  const [source, api] = [new URL(base).host, getApi(base)];
  const options = { source, api, token, createHeaders, authorities, signal, timeout };
  return createForgeClient({ ...options, waitMax: 0 });
}

type FoundForge = NonNullable<Awaited<ReturnType<typeof findForge>>>;

async function askForge(probe: AddressProbe, { kind, base, ...forge }: FoundForge) {
  const { needsToken, all } = forgeQuestions[kind];
  const client = await openClient(probe, kind, base);
  const hasToken = probe.token !== undefined;
  const account = hasToken ? await readForgeAccount(client) : { account: undefined };
  const product = (hasToken && (await identifyForge(client, kind))) || forge.product;
  const path = trimPath(kind, forge.path);
  const name = path.join("/");
  const mayOwn = path.length === 1 || (kind === "gitlab" && path.length > 1);
  const owner = mayOwn ? await findForgeOwner(client, kind, name) : undefined;
  if (!owner && path.length > 1) {
    return { ...(await findRepository(probe, `${base}/${name}`)), product, ...account };
  }
  if (!owner && name !== "") {
    const reason = `HOST shows nobody named ${name}${hasToken ? "" : " without a token"}.`;
    throw new FetchFault(reason, "Type the name of an organization or a person there.");
  }
  if (needsToken && !hasToken) throw createTokenFault(probe, kind);
  const about = { ok: true, kind, url: base, product, ...account } as const;
  if (!owner && base === knownForges[kind].url) {
    return { ...about, choices: await listOwnSelections(client, account.account), examples: [] };
  }
  const { select = "all", lists = all, repositories } = owner ?? {};
  const found = lists && (await countForgeLists(client, lists));
  const label = owner ? name : `Everybody at ${new URL(base).host}`;
  const choice = { select, label, ...found?.counts, ...(repositories && { repositories }) };
  return { ...about, choices: [choice], examples: found?.examples ?? [] };
}

function createTokenFault({ token }: AddressProbe, kind: ForgeKind): FetchFault {
  const reason = token === undefined ? "HOST needs a token." : "HOST refuses this token.";
  const { rights } = forgeQuestions[kind];
  return new FetchFault(reason, `Make one there with ${rights}, and type it here.`, "token");
}

/** Removes the parts of a page's address that belong to no name. */
function trimPath(kind: ForgeKind, path: readonly string[]): readonly string[] {
  const names = /^(orgs?|groups|users)$/.test(path[0] ?? "") ? path.slice(1) : path;
  if (kind !== "gitlab") return names.slice(0, names === path ? 2 : 1);
  return names.includes("-") ? names.slice(0, names.indexOf("-")) : names;
}

async function findRepository(probe: AddressProbe, typed: string) {
  const address = parseGitAddress(typed, ["http"]);
  const url = await checkRepository(address, probe.token, probe);
  const examples = [address.place.replace(/^[^/]*\/|\.git$/g, "")];
  const git = { kind: "git", product: "git", account: undefined } as const;
  return { ok: true, ...git, url, choices: [], examples } as const;
}

/** @param host with its port; empty if none was found. @throws the error if neither the server nor the input is its reason. */
function explainProbe(error: unknown, host: string, hasToken: boolean) {
  const fault = explainFetch(toFault(error as Error), host, hasToken);
  if (!(fault instanceof RepositoryFault)) throw error;
  const words = `${fault.message} ${fault.remedy}`.replace(/^(?:the|it|no) /, toCapital).trim();
  const field: FetchFault["field"] = fault instanceof FetchFault ? fault.field : "address";
  return { field, message: host === "" ? words : words.replaceAll("HOST", host) };
}

const toCapital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Turns what only a forge or a typed address causes into faults. */
function toFault(error: Error): Error {
  if (isFault(error, "usage")) return new FetchFault(`${error.message}.`, "");
  if (error.name === "TimeoutError") return new Fault("time_limit", error.message);
  if (error instanceof ForgeOverload) {
    return new FetchFault("HOST is overloaded or down.", "Try again later.");
  }
  if (error instanceof ForgePause) {
    const until = new Date(error.until).toISOString().slice(0, 16).replace("T", " ");
    return new FetchFault(`HOST allows no more requests before ${until} UTC.`, "Try again then.");
  }
  if (!(error.cause instanceof URL)) return error;
  const reason = `HOST redirects to ${error.cause.origin}, and Roster does not follow.`;
  return new FetchFault(reason, "If that is the right server, type its address.");
}
