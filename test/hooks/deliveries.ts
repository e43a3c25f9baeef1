/** Deliveries of push hooks in the forms that forges document, signed as forges sign them. */
import { createHmac, randomBytes } from "node:crypto";

export interface SentDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** In the form of secrets of hooks. */
export const newSecret = () => randomBytes(32).toString("base64url");

export const signHex = (secret: string, body: string, algorithm = "sha256") =>
  createHmac(algorithm, secret).update(body).digest("hex");

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const before = "95790bf891e76fee5e1747ab589903a6a1f80f22";
const after = "da1560886d4f094c3e6c9ef40349f7d38b5d27d7";
const commit = (host: string, path: string) => ({
  id: after,
  message: "Read the queue once\n",
  timestamp: "2026-11-20T09:30:00Z",
  url: `https://${host}/${path}/commit/${after}`,
  author: { name: "Ada Example", email: "ada@example.com", username: "ada" },
  added: ["queue.ts"],
  removed: [],
  modified: [],
});

/** A push over GitHub. */
export const githubPush = (path: string) => ({
  ref: "refs/heads/main",
  ...{ before, after, created: false, deleted: false, forced: false, base_ref: null },
  compare: `https://github.com/${path}/compare/95790bf891e7...da1560886d4f`,
  commits: [{ ...commit("github.com", path), tree_id: before, distinct: true }],
  head_commit: commit("github.com", path),
  repository: {
    id: 186853002,
    node_id: "MDEwOlJlcG9zaXRvcnkxODY4NTMwMDI=",
    name: path.split("/").at(-1),
    full_name: path,
    private: false,
    owner: { name: path.split("/")[0], login: path.split("/")[0], type: "Organization" },
    html_url: `https://github.com/${path}`,
    url: `https://github.com/${path}`,
    git_url: `git://github.com/${path}.git`,
    ssh_url: `git@github.com:${path}.git`,
    clone_url: `https://github.com/${path}.git`,
    pushed_at: 1795339800,
    default_branch: "main",
  },
  pusher: { name: "ada", email: "ada@example.com" },
  sender: { login: "ada", id: 21031067, type: "User" },
});

export function fromGithub(
  secret: string,
  payload: object,
  { event = "push", isForm = false } = {},
): SentDelivery {
  const text = JSON.stringify(payload);
  const body = isForm ? `${new URLSearchParams({ payload: text })}` : text;
  return {
    body,
    headers: {
      ...(isForm ? form : json),
      "user-agent": "GitHub-Hookshot/044aadd",
      "x-github-delivery": crypto.randomUUID(),
      "x-github-event": event,
      "x-github-hook-id": "292430182",
      "x-hub-signature": `sha1=${signHex(secret, body, "sha1")}`,
      "x-hub-signature-256": `sha256=${signHex(secret, body)}`,
    },
  };
}

/** Gitea's and Forgejo's, which also carry the headers of GitHub and Gogs. Of a form, both signatures are of the field. */
export function fromGitea(
  secret: string,
  payload: object,
  { event = "push", isForm = false } = {},
): SentDelivery {
  const text = JSON.stringify(payload, undefined, 2);
  const delivery = crypto.randomUUID();
  const signature = signHex(secret, text);
  const named = ["gitea", "gogs", "github"].flatMap((name) => [
    [`x-${name}-delivery`, delivery],
    [`x-${name}-event`, event],
  ]);
  return {
    body: isForm ? `${new URLSearchParams({ payload: text })}` : text,
    headers: {
      ...(isForm ? form : json),
      ...Object.fromEntries(named),
      "x-gitea-event-type": event,
      "x-gogs-event-type": event,
      "x-gitea-signature": signature,
      "x-gogs-signature": signature,
      "x-hub-signature": `sha1=${signHex(secret, text, "sha1")}`,
      "x-hub-signature-256": `sha256=${signature}`,
    },
  };
}

/** A push over GitLab: its `repository` has no path, its `project` has. */
export const gitlabPush = (path: string, kind = "push") => ({
  ...{ object_kind: kind, event_name: kind, before, after, ref: "refs/heads/main" },
  ref_protected: true,
  checkout_sha: after,
  ...{ user_id: 4, user_name: "Ada Example", user_username: "ada", user_email: "" },
  project_id: 15,
  project: {
    ...{ id: 15, name: "Tool", description: "", web_url: `https://gitlab.example.com/${path}` },
    git_ssh_url: `git@gitlab.example.com:${path}.git`,
    git_http_url: `https://gitlab.example.com/${path}.git`,
    ...{ namespace: "Acme", visibility_level: 0, path_with_namespace: path },
    default_branch: "main",
  },
  commits: [commit("gitlab.example.com", path)],
  total_commits_count: 1,
  push_options: {},
  repository: {
    ...{ name: "Tool", url: `git@gitlab.example.com:${path}.git`, description: "" },
    homepage: `https://gitlab.example.com/${path}`,
    visibility_level: 0,
  },
});

const gitlabHeaders = (event: string) => ({
  ...json,
  "user-agent": "GitLab/19.0.0",
  "idempotency-key": "3a427872-00df-429c-9bc9-a9475de2efe4",
  "x-gitlab-event": event,
  "x-gitlab-instance": "https://gitlab.example.com",
  "x-gitlab-event-uuid": crypto.randomUUID(),
});

export const fromGitlab = (secret: string, payload: object, event = "Push Hook"): SentDelivery => ({
  body: JSON.stringify(payload),
  headers: { ...gitlabHeaders(event), "x-gitlab-token": secret },
});

/** @param token as GitLab stores it: `whsec_` and 32 bytes in base64. */
export function fromSigningGitlab(
  token: string,
  payload: object,
  at: Date,
  id: string = crypto.randomUUID(),
): SentDelivery {
  const body = JSON.stringify(payload);
  const seconds = Math.floor(at.getTime() / 1000);
  const hmac = createHmac("sha256", Buffer.from(token.replace("whsec_", ""), "base64"));
  const signature = hmac.update(`${id}.${seconds}.${body}`).digest("base64");
  return {
    body,
    headers: {
      ...gitlabHeaders("Push Hook"),
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1,${signature}`,
    },
  };
}

/** What the line for `post-receive` sends. */
export const fromPostReceive = (secret: string, repository?: string): SentDelivery => ({
  body: repository === undefined ? "" : `${new URLSearchParams({ repository })}`,
  headers: { ...form, authorization: `Bearer ${secret}` },
});
