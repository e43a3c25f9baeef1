/** A forge that speaks Gitea's language, with people who are renamed, hidden and deleted while it is asked. */
import { type Double, serveDouble } from "./double.ts";

export interface InventedAccount {
  login: string;
  name?: string;
  location?: string;
  /** Absent: hidden, so that the forge shows a noreply address. */
  email?: string;
  visibility?: "public" | "limited" | "private";
  followers?: number;
}

/** A pull request, whose number is its place in the list, from 1. */
export interface InventedChange {
  author: number;
  updated: string;
  state?: "open" | "merged" | "closed";
  /** Ids of its last commit, and of the one that merged it. */
  commits?: readonly string[];
  paths?: readonly string[];
  reviews: readonly {
    readonly by: number;
    /** Default: APPROVED. */
    readonly state?: string;
    readonly at: string;
    readonly isDismissed?: boolean;
  }[];
}

interface InventedRepository {
  owner: number;
  name: string;
  stars: number;
  isPrivate?: boolean;
  language?: string;
  updated?: string;
}

export interface InventedForge extends Double {
  /** By number. */
  readonly accounts: Map<number, InventedAccount>;
  readonly repositories: Map<number, InventedRepository>;
  /** Number of the author's account by commit. */
  readonly authors: Map<string, number>;
  /** By number of the repository. */
  readonly changes: Map<number, InventedChange[]>;
  /** As an administrator is: nobody's address is replaced by a noreply one. */
  isAdministrator: boolean;
  /** Called before each answer. */
  before: (path: string, times: number) => Response | Promise<Response> | undefined;
}

const noreplyHost = "noreply.forge.example";
const pageSize = 3;

function toChange({ author, updated, state = "merged", commits = [] }: InventedChange, at: number) {
  const [head = "", merged = null] = commits;
  return {
    ...{ number: at + 1, title: "a secret title", body: "a secret text", user: { id: author } },
    ...{ state: state === "open" ? state : "closed", merged: state === "merged" },
    ...{ updated_at: updated, head: { sha: head }, merge_commit_sha: merged },
    requested_reviewers: [{ id: author, login: "asked-secretly" }],
  };
}

function describeChange(change: InventedChange | undefined, list: string | undefined) {
  if (list === "files") return (change?.paths ?? []).map((filename) => ({ filename }));
  return (change?.reviews ?? []).map(({ by, state = "APPROVED", at, isDismissed = false }) => ({
    ...{ user: { id: by }, state, submitted_at: at, dismissed: isDismissed },
    body: "a secret remark",
  }));
}

export function inventForge(): InventedForge {
  const forge: Omit<InventedForge, keyof Double> = {
    ...{ accounts: new Map(), repositories: new Map(), authors: new Map(), changes: new Map() },
    ...{ isAdministrator: false, before: () => undefined },
  };
  const { accounts, repositories, authors, changes } = forge;
  const toUser = (id: number) => {
    const { login, name = "", location = "", email, ...more } = accounts.get(id) as InventedAccount;
    const { visibility = "public", followers = 0 } = more;
    return {
      ...{ id, login, full_name: name, location, visibility },
      email: email ?? (forge.isAdministrator ? "" : `${id}+${login}@${noreplyHost}`),
      ...{ followers_count: followers, created: "2024-05-01T10:00:00+02:00" },
      html_url: `${double.url}/${login}`,
    };
  };
  const toRepository = (id: number) => {
    const {
      owner,
      name,
      stars,
      isPrivate = false,
      ...more
    } = repositories.get(id) as InventedRepository;
    const { language = "", updated = "2026-10-01T00:00:00Z" } = more;
    const full = `${accounts.get(owner)?.login}/${name}`;
    return {
      ...{ id, full_name: full, name, private: isPrivate, fork: false, stars_count: stars },
      ...{ forks_count: 0, owner: { id: owner }, clone_url: `${double.url}/${full}.git` },
      ...{ html_url: `${double.url}/${full}`, language, updated_at: updated },
    };
  };
  const listPage = (url: URL, all: readonly unknown[], wrap: boolean): Response => {
    const page = Number(url.searchParams.get("page") ?? 1);
    const some = all.slice((page - 1) * pageSize, page * pageSize);
    const next = new URL(url);
    next.searchParams.set("page", String(page + 1));
    const headers = page * pageSize < all.length ? { link: `<${next}>; rel="next"` } : undefined;
    return Response.json(wrap ? { ok: true, data: some } : some, { ...(headers && { headers }) });
  };
  const answer = (request: Request, times: number): Response | Promise<Response> => {
    const url = new URL(request.url);
    const path = url.pathname.replace("/api/v1/", "");
    const early = forge.before(path, times);
    if (early) return early;
    const numbers = [...accounts.keys()].sort((a, b) => a - b);
    if (path === "users/search") {
      const uid = url.searchParams.get("uid");
      const found = uid ? numbers.filter((id) => String(id) === uid) : numbers;
      return listPage(url, found.map(toUser), true);
    }
    if (path === "repos/search") {
      const uid = url.searchParams.get("uid");
      const found = [...repositories].filter(([, { owner }]) => !uid || String(owner) === uid);
      const shown = found.map(([id]) => toRepository(id));
      return listPage(url, shown, true);
    }
    const [, org] = /^orgs\/([^/]+)\/members$/.exec(path) ?? [];
    if (org === "acme") return listPage(url, numbers.map(toUser), false);
    const [, name = "", change, list] = /^repos\/(.+)\/pulls(?:\/(\d+)\/(\w+))?$/.exec(path) ?? [];
    if (name) {
      const [id = 0] = [...repositories].find(([id]) => toRepository(id).full_name === name) ?? [];
      const found = changes.get(id) ?? [];
      if (change) return Response.json(describeChange(found[Number(change) - 1], list));
      const newest = found.map(toChange).sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
      return listPage(url, newest, false);
    }
    const [, commit = ""] = /^repos\/.+\/git\/commits\/(\w+)$/.exec(path) ?? [];
    if (commit && authors.has(commit)) {
      const id = authors.get(commit) as number;
      const { login } = accounts.get(id) ?? {};
      return Response.json({ author: login === undefined ? null : { id, login } });
    }
    return new Response("", { status: path === "admin/emails" ? 403 : 404 });
  };
  const double = serveDouble(answer);
  return Object.assign(forge, double, { [Symbol.asyncDispose]: double[Symbol.asyncDispose] });
}
