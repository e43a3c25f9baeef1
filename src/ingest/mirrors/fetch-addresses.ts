/** Keeps bare mirrors of repositories that are named by their addresses. Each mirror stores its address, for later runs. */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Fault, isFault } from "../../contract/fault.ts";
import type { GitAddress } from "../../contract/git-address.ts";
import { type GitUser, readGitUser } from "../git/git-command.ts";
import {
  RepositoryFault,
  type RepositoryRefusal,
  refuseRepository,
} from "../git/repository/refusal.ts";
import { type AddressMirror, listMirrorsAt } from "./address-mirrors.ts";
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

/** How to reach the servers of addresses. */
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
  /** The largest repository that is mirrored, in megabytes; default: 500. The mirror stores it, for later runs. */
  readonly megabytes?: number | undefined;
}

interface AddressFetches {
  /** Paths of the mirrors, in the order of the requests, with those that could not be fetched. */
  readonly paths: readonly string[];
  readonly refused: readonly RepositoryRefusal[];
}

const defaultMegabytes = 500;
/** The number of times that a server may stay silent. After that, the run asks it no more. */
const silencesMax = 3;

/**
 * Fetches repositories into their mirrors, one after the other. A repository that cannot be fetched is refused, and its mirror
 * stays as it was. @throws the signal's reason.
 */
export async function fetchAddresses(
  requests: readonly AddressRequest[],
  access: AddressAccess & { readonly onProgress: (what: string) => void },
): Promise<AddressFetches> {
  const { signal, onProgress } = access;
  mkdirSync(access.home, { recursive: true });
  const home = realpathSync(access.home);
  const user = access.userEnvironment && (await readGitUser(access.userEnvironment));
  const release = await lockMirrors(home, access);
  const refused: RepositoryRefusal[] = [];
  const silences = new Map<string, number>();
  try {
    clearLeftovers(home);
    for (const [at, request] of requests.entries()) {
      const { address } = request;
      const { url, host } = address;
      const path = join(home, address.place);
      onProgress(`fetch ${at + 1} of ${requests.length}, ${url}`);
      let token: string | undefined;
      try {
        token = request.readToken?.();
        if ((silences.get(host) ?? 0) >= silencesMax) throw new Fault("time_limit", "");
        await fetchOne(request, path, { ...access, user, token });
      } catch (error) {
        signal?.throwIfAborted();
        if (isFault(error, "time_limit")) silences.set(host, (silences.get(host) ?? 0) + 1);
        const refusal = refuseRepository(path, explainFetch(error, address, token !== undefined));
        if (!refusal) throw error;
        refused.push({ ...refusal, address: url });
      }
    }
  } finally {
    release();
  }
  return { paths: requests.map(({ address }) => join(home, address.place)), refused };
}

async function fetchOne(
  { address, tokenFile, megabytes = defaultMegabytes }: AddressRequest,
  path: string,
  access: AddressAccess & Pick<MirrorRemote, "user" | "token">,
): Promise<void> {
  const update = createMirrorUpdate(
    { ...access, url: address.url },
    { home: access.home, megabytes },
  );
  const isFetched = await tryEndings(address, (url) => {
    const settings = {
      "remote.origin.url": url,
      "roster.megabytes": String(megabytes),
      ...(tokenFile !== undefined && { "roster.tokenFile": pathToFileURL(tokenFile).href }),
    };
    return update({ url, path, settings });
  });
  if (!isFetched) throw createEmptyFault();
}

/** Asks a server about one repository, and stores nothing. @throws RepositoryFault that says what is wrong and what helps. */
export async function readTips(
  { address, readToken }: AddressRequest,
  access: AddressAccess,
): Promise<{ readonly url: string; readonly branch: string; readonly head: string }> {
  mkdirSync(access.home, { recursive: true });
  const token = readToken?.();
  const user = access.userEnvironment && (await readGitUser(access.userEnvironment));
  const remote = { ...access, user, token };
  try {
    return await tryEndings(address, async (url) => {
      const git = openRemote({ ...remote, url }, access.home);
      const { branch, head } = await findTips(git, url, access);
      if (!branch || !head) throw createEmptyFault();
      return { url, branch, head };
    });
  } catch (error) {
    throw explainFetch(error, address, token !== undefined);
  }
}

/**
 * Fetches addresses, and the mirrors at or below paths. A mirror of a named address keeps its token file and its limit, unless
 * the request has others. @returns the paths of all these mirrors, and the given paths. @throws the signal's reason.
 */
export async function fetchNamed(
  { paths, addresses }: { paths: readonly string[]; addresses: readonly AddressRequest[] },
  access: AddressAccess & {
    readonly onProgress: (what: string) => void;
    readonly readToken: (file: string) => string;
  },
): Promise<AddressFetches> {
  const { home, readToken } = access;
  const places = addresses.map(({ address }) => join(home, address.place));
  const requests = new Map<string, AddressRequest>();
  for (const { tokenFile, ...mirror } of listMirrorsAt(home, [...paths, ...places])) {
    const token = tokenFile !== undefined && { tokenFile, readToken: () => readToken(tokenFile) };
    requests.set(mirror.address.place, { ...mirror, ...token });
  }
  for (const request of addresses) {
    const { place, protocol } = request.address;
    const stored = requests.get(place);
    // A token that was given for https is not sent by plain http.
    const isSame = stored?.address.protocol === protocol;
    requests.set(place, { ...(isSame && stored), ...request });
  }
  if (requests.size === 0) return { paths, refused: [] };
  const { paths: fetched, refused } = await fetchAddresses([...requests.values()], access);
  return { paths: [...fetched, ...paths], refused };
}

/** Removes mirrors. @throws the signal's reason. */
export async function removeMirrors(
  home: string,
  mirrors: readonly Pick<AddressMirror, "path">[],
  access: Parameters<typeof lockMirrors>[1],
): Promise<void> {
  if (mirrors.length === 0) return;
  const release = await lockMirrors(home, access);
  for (const { path } of mirrors) removeMirror(path);
  release();
}

const createEmptyFault = () =>
  new RepositoryFault(
    "it is empty, or its HEAD names no commit.",
    "A later run reads it, once it has a commit.",
    true,
  );

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
