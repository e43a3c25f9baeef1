/** Push hooks that others send: forged, replayed, in floods, huge and malformed. */
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
  type SentDelivery,
  signHex,
} from "../hooks/deliveries.ts";
import { openHookDesk } from "../hooks/hook-desk.ts";

const secret = newSecret();
const push = githubPush("acme/tool");
const openDesk = () => openHookDesk({ acme: secret, other: newSecret() });
const withHeaders = (
  { headers, body }: SentDelivery,
  change: Record<string, string | undefined>,
): SentDelivery => {
  const all = Object.entries({ ...headers, ...change });
  return {
    body,
    headers: Object.fromEntries(all.flatMap(([key, value]) => (value ? [[key, value]] : []))),
  };
};
const signed = fromGithub(secret, push);
const signature = signed.headers["x-hub-signature-256"] as string;
const withSignature = (value: string | undefined) =>
  withHeaders(signed, { "x-hub-signature-256": value });

describe("a forged delivery is refused, and nothing is read", () => {
  const forgeries: readonly (readonly [what: string, delivery: SentDelivery])[] = [
    ["without any signature", { body: signed.body, headers: { "x-github-event": "push" } }],
    ["with SHA-1 alone, though it is right", withSignature(undefined)],
    ["with another secret, as GitHub", fromGithub(newSecret(), push)],
    ["with another secret, as Gitea", fromGitea(newSecret(), push)],
    ["with another secret, as GitLab", fromGitlab(newSecret(), gitlabPush("acme/tool"))],
    ["with another secret, as post-receive", fromPostReceive(newSecret(), "acme/tool")],
    ["with an empty secret, as GitHub", fromGithub("", push)],
    ["with an empty secret, as GitLab", fromGitlab("", gitlabPush("acme/tool"))],
    [
      "signed by another algorithm",
      withSignature(`sha512=${signHex(secret, signed.body, "sha512")}`),
    ],
    ["with SHA-1 where SHA-256 belongs", withSignature(signed.headers["x-hub-signature"])],
    ["with its signature cut by a letter", withSignature(signature.slice(0, -1))],
    ["with its signature cut to the algorithm", withSignature("sha256=")],
    ["with a letter too many", withSignature(`${signature}0`)],
    ["with its signature twice", withSignature(`${signature}, ${signature}`)],
    ["with the signature of another body", { ...signed, body: `${signed.body} ` }],
    ["with the secret where a signature belongs", withSignature(secret)],
    [
      "with the signature as a token",
      withHeaders(withSignature(undefined), { "x-gitlab-token": signature }),
    ],
    ["with the secret as a key", withHeaders(withSignature(undefined), { "x-api-key": secret })],
    [
      "with the secret of a basic sign-in",
      withHeaders(fromPostReceive(secret), { authorization: `Basic ${btoa(`x:${secret}`)}` }),
    ],
    [
      "with the field of a form changed",
      (() => {
        const form = fromGitea(secret, push, { isForm: true });
        return { ...form, body: form.body.replace("acme%2Ftool", "acme%2Fother") };
      })(),
    ],
  ];
  test.each(forgeries)("%s", async (_, delivery) => {
    const { send, asked, log } = openDesk();
    const { status, text, headers } = await send("acme", delivery);
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ success: false, error: { code: "unauthorized" } });
    expect(headers.get("www-authenticate")).toBe('Bearer realm="Roster"');
    expect(asked).toEqual([]);
    expect(text + log()).not.toContain(secret);
  });

  test("with GitLab's signature of another body, id or time stamp", async () => {
    const { send, asked, clock } = openDesk();
    const token = `whsec_${Buffer.from(secret, "base64url").toString("base64")}`;
    const right = fromSigningGitlab(token, gitlabPush("acme/tool"), clock.now());
    const later = String(Number(right.headers["webhook-timestamp"]) + 1);
    for (const forged of [
      { ...right, body: `${right.body} ` },
      withHeaders(right, { "webhook-id": crypto.randomUUID() }),
      withHeaders(right, { "webhook-id": undefined }),
      withHeaders(right, { "webhook-timestamp": later }),
      withHeaders(right, { "webhook-timestamp": "NaN" }),
    ]) {
      expect((await send("acme", forged)).status).toBe(401);
    }
    expect(asked).toEqual([]);
  });

  test("to another source than the one whose secret it has", async () => {
    const { send, asked } = openDesk();
    expect((await send("other", signed)).status).toBe(401);
    expect(asked).toEqual([]);
  });
});

test("an unknown source looks like a wrong secret", async () => {
  const { send } = openDesk();
  const look = async (id: string, delivery: SentDelivery) => {
    const { status, text, headers } = await send(id, delivery);
    const { error } = JSON.parse(text);
    return { status, error, names: [...headers.keys()].sort() };
  };
  const known = await look("acme", fromGithub(newSecret(), push));
  expect(known.status).toBe(401);
  for (const id of ["nobody", "a".repeat(200), "__proto__", "constructor", "ACME", "..%2facme"]) {
    expect(await look(id, fromGithub(newSecret(), push))).toEqual(known);
    expect(await look(id, fromGitlab("", gitlabPush("acme/tool")))).toEqual(known);
    expect(await look(id, withSignature(undefined))).toEqual(known);
  }
});

describe("a delivery that comes again", () => {
  const token = `whsec_${Buffer.from(secret, "base64url").toString("base64")}`;
  const { clock: start } = openDesk();
  test.each([
    ["GitHub", signed],
    ["Gitea", fromGitea(secret, push)],
    ["GitLab, signed", fromSigningGitlab(token, gitlabPush("acme/tool"), start.now())],
  ])("from %s is answered, and read once", async (_, delivery) => {
    const { send, asked } = openDesk();
    expect((await send("acme", delivery)).status).toBe(202);
    for (const address of ["192.0.2.1", "198.51.100.7"]) {
      const { status, text } = await send("acme", delivery, address);
      expect(JSON.parse(text).data.outcome).toBe("repeated");
      expect(status).toBe(200);
    }
    expect(asked).toEqual(["acme acme/tool"]);
  });

  test("is known by either of Gitea's signatures", async () => {
    const { send, asked } = openDesk();
    const delivery = fromGitea(secret, push);
    await send("acme", withHeaders(delivery, { "x-hub-signature-256": undefined }));
    await send("acme", withHeaders(delivery, { "x-gitea-signature": undefined }));
    expect(asked).toHaveLength(1);
  });

  test("is read again only when an hour has gone by, or if it has not been read", async () => {
    const { send, asked, clock } = openDesk();
    await send("acme", signed);
    clock.advance(3599);
    await send("acme", signed);
    expect(asked).toHaveLength(1);
    clock.advance(2);
    await send("acme", signed);
    expect(asked).toHaveLength(2);
  });

  test("the same push of a post-receive hook is another push", async () => {
    const { send, asked } = openDesk();
    await send("acme", fromPostReceive(secret, "acme/tool"));
    await send("acme", fromPostReceive(secret, "acme/tool"));
    expect(asked).toHaveLength(2);
  });
});

describe("a flood", () => {
  const wrong = fromGithub(newSecret(), push);

  test("of wrong secrets gets 429 with Retry-After, and other networks and sources are served", async () => {
    const { send, asked, clock } = openDesk();
    for (let at = 0; at < 30; at += 1) expect((await send("acme", wrong)).status).toBe(401);
    const refused = await send("acme", signed);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: "quota_exceeded" } });
    expect(asked).toEqual([]);
    expect((await send("other", wrong)).status).toBe(401);
    expect((await send("acme", signed, "198.51.100.7")).status).toBe(202);
    clock.advance(60);
    expect(
      (await send("acme", fromGitea(secret, { ...push, ref: "refs/heads/next" }))).status,
    ).toBe(202);
  });

  test("of wrong secrets at many sources is stopped too, and a /64 of IPv6 is one network", async () => {
    const { send } = openDesk();
    for (let at = 0; at < 300; at += 1)
      expect((await send(`source${at}`, wrong, `2001:db8::${at.toString(16)}`)).status).toBe(401);
    expect((await send("acme", signed, "2001:db8::ffff")).status).toBe(429);
    expect((await send("acme", signed, "2001:db8:0:1::1")).status).toBe(202);
  });

  test("with the right secret is bounded by source", async () => {
    const { send, asked } = openDesk();
    const delivery = fromPostReceive(secret, "acme/tool");
    for (let at = 0; at < 600; at += 1)
      expect((await send("acme", delivery, `198.51.100.${at % 250}`)).status).toBe(202);
    const { status, headers } = await send("acme", delivery);
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("60");
    expect(asked).toHaveLength(600);
  });

  test("of unknown sources from ever new networks takes bounded memory", async () => {
    const { send } = openDesk();
    Bun.gc(true);
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 20_000; at += 1) {
      const network = `2001:db8:${(at >> 8).toString(16)}:${(at & 255).toString(16)}::1`;
      await send("x".repeat(4000), withSignature(undefined), network);
    }
    Bun.gc(true);
    // The long ids alone would take 80 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(40 * 2 ** 20);
  });
});

describe("no body is answered with 500", () => {
  const sign = (body: string | Uint8Array<ArrayBuffer>) => {
    const text = typeof body === "string" ? body : Buffer.from(body).toString("latin1");
    const bytes = typeof body === "string" ? body : Buffer.from(text, "latin1");
    const hmac = new Bun.CryptoHasher("sha256", secret).update(bytes).digest("hex");
    return { body, headers: { "x-github-event": "push", "x-hub-signature-256": `sha256=${hmac}` } };
  };
  const name = (full_name: unknown) => JSON.stringify({ repository: { full_name } });
  test.each([
    ["no JSON", "{"],
    ["bytes that are no text", new Uint8Array([0xff, 0xfe, 0x00, 0x80])],
    ["null", "null"],
    ["a number", "1e999"],
    ["a list", "[]"],
    ["a list as the repository", '{"repository":["acme/tool"]}'],
    ["null as the repository", '{"repository":null,"project":null}'],
    ["a number as the name", name(7)],
    ["an empty name", name("")],
    ["an option as the name", name("--upload-pack=touch")],
    ["a name with a zero byte", name("acme/tool\0")],
    ["a name with a line end", name("acme/tool\n")],
    ["a long name", name("a".repeat(501))],
    ["a prototype", '{"__proto__":{"repository":{"full_name":"acme/tool"}}}'],
    ["lists in lists", "[".repeat(200_000)],
    ["many values", `[${"1,".repeat(1_100_000)}1]`],
    ["a form that cannot be decoded", "payload=%"],
    ["a form without a payload", "payload="],
    ["another form", "a=b&payload={}"],
  ])("%s", async (_, body) => {
    const { send, asked } = openDesk();
    const { status, text } = await send("acme", sign(body));
    expect({ status, asked }).toEqual({ status: 400, asked: [] });
    expect(JSON.parse(text).error.code).toBe("invalid_request");
  });

  test("a huge one is refused, with its length and without", async () => {
    const { send } = openDesk();
    const piece = Buffer.alloc(1 << 20, "a");
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(piece);
      },
    });
    const { headers } = signed;
    expect((await send("acme", { headers, body: Buffer.alloc(5 << 20, "a") })).status).toBe(413);
    expect((await send("acme", { headers, body: endless })).status).toBe(413);
    expect(pulled).toBeLessThan(10);
  });

  test("2,048 commits, which is the most that GitHub lists, are taken", async () => {
    const { send } = openDesk();
    const commits = Array.from({ length: 2048 }, () => push.commits[0]);
    expect((await send("acme", fromGithub(secret, { ...push, commits }))).status).toBe(202);
  });
});

test("no address in a body is asked for anything", async () => {
  const visits: string[] = [];
  const trap = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      visits.push(url);
      return new Response("");
    },
  });
  const url = `http://127.0.0.1:${trap.port}/evil.git`;
  const { send, asked } = openDesk();
  const addresses = { html_url: url, url, git_url: url, ssh_url: url, clone_url: url };
  const repository = { ...push.repository, ...addresses };
  const full = (full_name: string) => ({ ...push, repository: { ...repository, full_name } });
  expect((await send("acme", fromGithub(secret, full("acme/tool")))).status).toBe(202);
  expect((await send("acme", fromGithub(secret, full(url)))).status).toBe(200);
  expect((await send("acme", fromPostReceive(secret, url))).status).toBe(200);
  // The name alone is passed on.
  expect(asked).toEqual(["acme acme/tool"]);
  await trap.stop(true);
  expect(visits).toEqual([]);
});

test.each(["GET", "PUT", "DELETE"])("%s is no delivery", async (method) => {
  const { fetch } = openDesk();
  const response = await fetch(new Request("http://127.0.0.1:7171/hooks/acme", { method }));
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("POST");
});
