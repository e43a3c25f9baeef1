import { afterEach, describe, expect, test } from "bun:test";
import { lookup } from "node:dns/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { type MailAccess, sendMail } from "../../src/delivery/send-mail.ts";
import { readOutput } from "../child-output.ts";
import { hasOpenssl, makeAuthority } from "../ingest/forges/tls.ts";
import { makeFolder } from "../temporary-folder.ts";
import { openMailServer } from "./mail-server.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(options: Parameters<typeof openMailServer>[0] = {}) {
  const server = await openMailServer(options);
  closing.push(server.close);
  return server;
}

const mail = { to: "ada@corp.example", subject: "Häuser", text: "Two new people.\n", id: "msg_1" };
const from = "roster@corp.example";
const send = (access: Partial<MailAccess>, ms = 5000) =>
  sendMail({ url: "", from, ...access }, mail, AbortSignal.timeout(ms));

describe("a mail", () => {
  test("is plain on this machine, and says that a program wrote it", async () => {
    const { port, mails } = await open();
    expect(await send({ url: `smtp://127.0.0.1:${port}` })).toBeUndefined();
    expect(mails).toMatchObject([{ from, to: ["ada@corp.example"], isSafe: false }]);
    const [{ raw } = { raw: "" }] = mails;
    expect(raw).toContain("Message-ID: <msg_1@corp.example>\r\n");
    expect(raw).toContain("Auto-Submitted: auto-generated\r\n");
    expect(raw).toContain("Subject: =?UTF-8?Q?H=C3=A4user?=\r\n");
    expect(raw).toContain("\r\n\r\nTwo new people.");
  });

  test.each([
    ["a password that is wrong", { password: "right" }, "the user or the password (535)"],
    [
      "a receiver that is unknown",
      { refuse: () => ({ code: 550, text: "5.1.1 <ada@corp.example> is unknown to roster" }) },
      "the sender or the receiver (550 5.1.1)",
    ],
    [
      "a receiver that it wants later",
      { refuse: () => ({ code: 451, text: "try ada@corp.example later" }) },
      "the sender or the receiver (451)",
    ],
  ])(
    "is not sent with %s, and the fault has no address and no secret",
    async (_, options, words) => {
      const { port, mails } = await open(options);
      const auth = { user: "roster", pass: "secret-word" };
      const fault = await send({
        url: `smtp://127.0.0.1:${port}`,
        ...("password" in options && { auth }),
      });
      expect(fault).toBe(`the mail server refused ${words}`);
      expect(mails).toEqual([]);
    },
  );

  test("says that its server is away, has no address, or does not answer", async () => {
    const { port, close } = await openMailServer({});
    await close();
    expect(await send({ url: `smtp://127.0.0.1:${port}` })).toBe(
      "the mail server cannot be reached (ECONNREFUSED)",
    );
    expect(await send({ url: "smtp://nowhere.invalid" })).toContain("has no address");
    const mute = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    closing.push(() => mute.stop(true));
    const waiting = send({ url: `smtp://localhost:${mute.port}` }, 300);
    expect(await waiting.catch(({ name }: Error) => name)).toBe("TimeoutError");
  });
});

// A name of this machine that is not one of the loopback's, as another machine has.
const name = hostname();
const isNamed = await lookup(name).then(
  () => name !== "localhost",
  () => false,
);

describe.skipIf(!hasOpenssl || !isNamed)("TLS (skipped without openssl, or a name)", () => {
  const folder = makeFolder("mail");
  const { tls, caFile } = makeAuthority(folder, [name, "localhost"]);
  const sendOne = async (access: object, env: Record<string, string> = {}) => {
    const given = [{ from, auth: { user: "roster", pass: "right" }, ...access }, mail];
    const script = join(import.meta.dir, "send-one-mail.ts");
    const child = Bun.spawn(["bun", script, ...given.map((one) => JSON.stringify(one))], {
      ...{ stdout: "pipe", stderr: "pipe", env: { PATH: process.env["PATH"], ...env } },
    });
    const { out, err } = await readOutput(child);
    return err || (JSON.parse(out) as string);
  };

  test.each([
    ["STARTTLS", name, false],
    ["TLS at once", "localhost", true],
  ])(
    "%s carries it, if the certificate is trusted",
    async (_, host, secure) => {
      const { port, mails } = await open({ tls, secure, password: "right" });
      const access = { url: `${secure ? "smtps" : "smtp"}://${host}:${port}` };
      const untrusted = "the certificate of the mail server is not trusted";
      expect(await sendOne(access)).toStartWith(untrusted);
      expect(mails).toEqual([]);
      for (const variable of ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"])
        expect(await sendOne(access, { [variable]: caFile })).toBe("sent");
      expect(mails).toMatchObject([
        { isSafe: true, user: "roster" },
        { isSafe: true, user: "roster" },
      ]);
      const trusting = { NODE_EXTRA_CA_CERTS: caFile };
      const other = { url: `smtps://127.0.0.2:${port}` };
      if (secure) expect(await sendOne(other, trusting)).toStartWith(untrusted);
    },
    30_000,
  );

  test("is wanted of every other machine, before a password is sent", async () => {
    const { port, mails } = await open({ password: "right" });
    const fault = await sendOne({ url: `smtp://${name}:${port}` });
    expect(fault).toBe("the mail server offers no STARTTLS (500)");
    expect(mails).toEqual([]);
  });
});
