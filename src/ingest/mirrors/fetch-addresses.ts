/** Keeps bare mirrors of repositories that are named by their addresses. Each mirror stores its address, for later runs. */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Fault, isFault } from "../../contract/fault.ts";
import type { GitAddress } from "../../contract/git-address.ts";
import { type GitUser, readGitUser } from "../git/git-command.ts";
import type { FoundMirrors } from "../git/repository/find-repositories.ts";
import { refuseRepository } from "../git/repository/refusal.ts";
import { listMirrorsAt } from "./address-mirrors.ts";
import { explainFetch, isRedirected } from "./explain-fetch.ts";
import { lockMirrors } from "./mirror-repositories.ts";
import {
  clearLeftovers,
  createMirrorUpdate,
  findTips,
  type MirrorRemote,
  openRemote,
  removeMirror,
} from "./update-mirror.ts";

export interface AddressAccess extends Omit<MirrorRemote, "url" | "token" | "user"> {
  /** The folder of the mirrors; it is created. */
  readonly home: string;
  /** The user's environment variables, such as HOME, PATH and SSH_AUTH_SOCK. Without it, git uses no keys and helpers. */
  readonly userEnvironment?: GitUser["environment"] | undefined;
}

export interface AddressRequest {
  readonly address: GitAddress;
  /** Reads the token; default: there is none. */
  readonly readToken?: (() => string | undefined) | undefined;
  /** The file with the token. The mirror stores its path, and later runs read it again. */
  readonly tokenFile?: string | undefined;
}

/** The number of times that a server may stay silent. After that, the run asks it no more. */
const silencesMax = 3;

/**
 * Fetches repositories into their mirrors, one after the other. A repository that cannot be fetched is refused, and its mirror
 * stays as it was. @throws the signal's reason.
 */
export async function fetchAddresses(
  requests: readonly AddressRequest[],
  access: AddressAccess & { readonly onProgress: (what: string) => void },
): Promise<FoundMirrors> {
  const { signal, onProgress } = access;
  mkdirSync(access.home, { recursive: true });
  const home = realpathSync(access.home);
  const user = access.userEnvironment && (await readGitUser(access.userEnvironment));
  const found: FoundMirrors = new Map();
  const silences = new Map<string, number>();
  await lockMirrors(home, access, async () => {
    clearLeftovers(home);
    for (const [at, request] of requests.entries()) {
      const { url, host, place } = request.address;
      const directory = join(home, place);
      const silent = silences.get(host) ?? 0;
      onProgress(`fetch ${at + 1} of ${requests.length}, ${url}`);
      let token: string | undefined;
      try {
        token = request.readToken?.();
        if (silent === silencesMax) throw new Fault("time_limit", "");
        await fetchOne(request, directory, { ...access, user, token });
        found.set(directory, { path: url, directory, kind: "folder" });
      } catch (error) {
        signal?.throwIfAborted();
        if (isFault(error, "time_limit")) silences.set(host, Math.min(silent + 1, silencesMax));
        const refusal = refuseRepository(url, explainFetch(error, host, token !== undefined));
        if (!refusal) throw error;
        found.set(directory, refusal);
      }
    }
  });
  return found;
}

async function fetchOne(
  { address, tokenFile }: AddressRequest,
  path: string,
  access: AddressAccess & Pick<MirrorRemote, "user" | "token">,
): Promise<void> {
  const update = createMirrorUpdate({ ...access, url: address.url }, access.home);
  await tryEndings(address, (url) => {
    const settings = {
      "remote.origin.url": url,
      ...(tokenFile !== undefined && { "roster.tokenFile": pathToFileURL(tokenFile).href }),
    };
    return update({ url, path, settings });
  });
}

/**
 * Asks a server about one repository, and stores nothing.
 * @returns the address that answers. @throws Fault that `explainFetch` explains.
 */
export async function checkRepository(
  address: GitAddress,
  token: string | undefined,
  access: AddressAccess,
): Promise<string> {
  mkdirSync(access.home, { recursive: true });
  const user = access.userEnvironment && (await readGitUser(access.userEnvironment));
  return tryEndings(address, async (url) => {
    const git = openRemote({ ...access, user, token, url }, access.home);
    await findTips(git, url, access);
    return url;
  });
}

/**
 * Fetches addresses, and the mirrors at or below paths. A mirror of a named address keeps its token file, unless the request has
 * another. @returns these mirrors, and their paths before the given ones. @throws the signal's reason.
 */
export async function fetchNamed(
  { paths, addresses }: { paths: readonly string[]; addresses: readonly AddressRequest[] },
  access: AddressAccess & {
    readonly onProgress: (what: string) => void;
    readonly readToken: (tokenFile: string) => string;
  },
) {
  const { home, readToken } = access;
  const places = addresses.map(({ address }) => join(home, address.place));
  const named = new Map<string, AddressRequest>();
  const stored = listMirrorsAt(home, [...paths, ...places]);
  for (const mirror of stored) named.set(mirror.address.place, mirror);
  for (const { address, tokenFile } of addresses) {
    const before = named.get(address.place);
    // A token that was given for https is not sent by plain http.
    const kept = before?.address.protocol === address.protocol ? before.tokenFile : undefined;
    named.set(address.place, { address, tokenFile: tokenFile ?? kept });
  }
  if (named.size === 0) return { paths };
  const requests = [...named.values()].map(({ address, tokenFile }) => ({
    ...{ address, tokenFile },
    readToken: () => (tokenFile === undefined ? undefined : readToken(tokenFile)),
  }));
  const mirrors = await fetchAddresses(requests, access);
  return { paths: [...mirrors.keys(), ...paths], mirrors };
}

/** Removes mirrors. @throws the signal's reason. */
export async function removeMirrors(
  home: string,
  paths: readonly string[],
  access: Parameters<typeof lockMirrors>[1],
): Promise<void> {
  if (paths.length > 0) await lockMirrors(home, access, async () => paths.forEach(removeMirror));
}

/** Some forges redirect from an address without `.git`. No redirect is followed, so the address with `.git` is tried. */
async function tryEndings<Result>(
  { url }: GitAddress,
  act: (url: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await act(url);
  } catch (error) {
    if (!isRedirected(error) || url.endsWith(".git")) throw error;
    return await act(`${url}.git`);
  }
}
