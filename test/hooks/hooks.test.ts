/** What a push hook takes from each forge. test/security/hooks.test.ts has what it refuses. */
import { describe, expect, test } from "bun:test";
import {
  fromGitea,
  fromGithub,
  fromGitlab,
  fromPostReceive,
  fromSigningGitlab,
  githubPush,
  gitlabPush,
  newSecret,
} from "./deliveries.ts";
import { openHookDesk } from "./hook-desk.ts";

const secret = newSecret();
const push = githubPush("acme/tool");
const toSigningToken = () => `whsec_${Buffer.from(secret, "base64url").toString("base64")}`;
const openDesk = () => openHookDesk({ acme: secret });

test.each([
  ["GitHub, as JSON", () => fromGithub(secret, push)],
  ["GitHub, as a form", () => fromGithub(secret, push, { isForm: true })],
  ["Gitea, as JSON", () => fromGitea(secret, push)],
  ["Gitea, as a form", () => fromGitea(secret, push, { isForm: true })],
  ["GitLab", () => fromGitlab(secret, gitlabPush("acme/tool"))],
  [
    "GitLab, of a tag",
    () => fromGitlab(secret, gitlabPush("acme/tool", "tag_push"), "Tag Push Hook"),
  ],
  ["a post-receive hook", () => fromPostReceive(secret, "acme/tool")],
])("a push of %s is accepted at once, and its repository alone is read", async (_, compose) => {
  const { send, asked } = openDesk();
  const { status, text } = await send("acme", compose());
  expect(JSON.parse(text)).toMatchObject({ success: true, data: { outcome: "accepted" } });
  expect(status).toBe(202);
  expect(asked).toEqual(["acme acme/tool"]);
});

test("GitLab's signing token is taken, if its time stamp is from now", async () => {
  const { send, asked, clock } = openDesk();
  const compose = (at: Date) => fromSigningGitlab(toSigningToken(), gitlabPush("acme/tool"), at);
  expect((await send("acme", compose(clock.now()))).status).toBe(202);
  const old = compose(clock.now());
  clock.advance(301);
  expect((await send("acme", old)).status).toBe(401);
  const { "webhook-timestamp": _, ...unstamped } = compose(clock.now()).headers;
  expect((await send("acme", { ...old, headers: unstamped })).status).toBe(401);
  expect(asked).toEqual(["acme acme/tool"]);
});

test("a signature of Standard Webhooks is the one of their own libraries", async () => {
  const { send, clock } = openHookDesk({ acme: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" });
  clock.set(new Date(1614265330_000).toISOString());
  const headers = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const { status } = await send("acme", { headers, body: '{"test": 2432232314}' });
  // Signed right, and no push of a forge.
  expect(status).toBe(400);
});

test("the hook of a whole GitLab server says `repository_update`", async () => {
  const { send, asked } = openDesk();
  const { object_kind: _, ...update } = gitlabPush("acme/tool", "repository_update");
  const { status } = await send("acme", fromGitlab(secret, update, "System Hook"));
  expect({ status, asked }).toEqual({ status: 202, asked: ["acme acme/tool"] });
});

test("a post-receive hook that names no repository has the whole source read", async () => {
  const { send, asked } = openDesk();
  expect((await send("acme", fromPostReceive(secret))).status).toBe(202);
  expect(asked).toEqual(["acme all"]);
});

test("a name is not changed by the form that carries it", async () => {
  const name = "a+b & c=d/ü%41.git";
  const { send, asked } = openHookDesk({ acme: secret }, [name]);
  await send("acme", fromPostReceive(secret, name));
  expect(asked).toEqual([`acme ${name}`]);
});

describe("nothing is read for", () => {
  test.each([
    ["GitHub's ping", () => fromGithub(secret, { zen: "Keep it", hook_id: 1 }, { event: "ping" })],
    ["an issue at GitHub", () => fromGithub(secret, push, { event: "issues" })],
    ["a star at Gitea", () => fromGitea(secret, push, { event: "star" })],
    [
      "a merge request",
      () => fromGitlab(secret, gitlabPush("acme/tool", "merge_request"), "Merge Request Hook"),
    ],
    ["a new project", () => fromGitlab(secret, { event_name: "project_create" }, "System Hook")],
  ])("%s, which is answered 200", async (_, compose) => {
    const { send, asked } = openDesk();
    const { status, text } = await send("acme", compose());
    expect(JSON.parse(text).data.outcome).toBe("no push");
    expect({ status, asked }).toEqual({ status: 200, asked: [] });
  });

  test("a repository that the source does not have", async () => {
    const { send, asked } = openDesk();
    const delivery = fromGithub(secret, githubPush("acme/other"));
    for (const _ of [1, 2]) {
      const { status, text } = await send("acme", delivery);
      expect(JSON.parse(text).data.outcome).toBe("unknown repository");
      expect({ status, asked }).toEqual({ status: 200, asked: [] });
    }
  });
});
