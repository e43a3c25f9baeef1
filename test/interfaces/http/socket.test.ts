/** Listening with TLS from files, whose certificate changes under open connections, and at a socket in the file system. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import tls from "node:tls";
import pino from "pino";
import { removeDeadSocket } from "../../../src/interfaces/http/http.ts";
import { createListener, type Listener } from "../../../src/interfaces/http/socket/listener.ts";
import { openTestAppliance } from "../../appliance.ts";
import { makeFolder } from "../../temporary-folder.ts";

const hasOpenssl = Bun.which("openssl") !== null;
const folder = makeFolder("socket");

const lines: string[] = [];
const log = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });

async function waitFor(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await Bun.sleep(5);
}

describe.skipIf(!hasOpenssl)("TLS (skipped without openssl, which makes the certificates)", () => {
  const files = () => ({ certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") });
  let listener: Listener;
  let port: number;

  /** As a tool for certificates does: both files, one after the other. */
  function issue(name: string, { certFile, keyFile } = files()): void {
    const key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes".split(" ");
    const about = ["-days", "2", "-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:127.0.0.1"];
    const files = ["-keyout", keyFile, "-out", certFile];
    const made = Bun.spawnSync(["openssl", "req", "-x509", ...key, ...files, ...about]);
    if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  }

  /** A connection, and the name in the certificate that it began with. */
  async function connect() {
    const socket = tls.connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    await new Promise((resolve, reject) => {
      socket.once("secureConnect", resolve).once("error", reject);
      socket.once("close", () => reject(new Error("the handshake was cut")));
    });
    const name = socket.getPeerCertificate().subject.CN as string;
    const ask = () =>
      new Promise<string>((resolve, reject) => {
        let received = "";
        const hear = (data: Buffer) => {
          received += data;
          // The body is the address that was asked for.
          if (!received.endsWith("/any")) return;
          socket.off("data", hear);
          resolve(received);
        };
        socket.on("data", hear);
        socket.once("close", () => reject(new Error("the connection was closed")));
        socket.write("GET /any HTTP/1.1\r\nHost: roster.example\r\n\r\n");
      });
    return { name, ask, end: () => socket.destroy() };
  }

  beforeAll(() => {
    issue("first.example");
    const answer = async (request: Request) => new Response(request.url);
    listener = createListener(answer, { log, lookEveryMs: 5 });
    port = listener.listen({ host: "127.0.0.1", port: 0, tls: files() }) as number;
  });
  afterAll(() => listener.close());

  test("a new certificate is taken without closing a connection, half a pair is not", async () => {
    const kept = await connect();
    expect(kept.name).toBe("first.example");
    expect(await kept.ask()).not.toMatch(/connection: close/i);
    expect(await kept.ask()).toContain("https://roster.example/any");

    // The certificate of another key lies there for a moment.
    const other = { certFile: files().certFile, keyFile: join(folder, "other.pem") };
    issue("half.example", other);
    await waitFor(() => lines.join("").includes("is not the key of"));
    const during = await connect();
    expect(during.name).toBe("first.example");
    during.end();

    issue("second.example");
    await waitFor(async () => {
      const { name, end } = await connect();
      end();
      return name === "second.example";
    });
    // It is answered, and asked to come again on a connection with the new one.
    expect((await kept.ask()).toLowerCase()).toMatch(/^http\/1\.1 200 ok[\s\S]*connection: close/);
    kept.end();
    expect(lines.join("")).toContain("the new certificate is in use");
  });

  test("a port that another has is refused, although the port is shared within", () => {
    const second = createListener(async () => new Response(), { log });
    expect(() => second.listen({ host: "127.0.0.1", port, tls: files() })).toThrow(/in use/);
  });

  test("files that cannot be used are named", () => {
    const second = createListener(async () => new Response(), { log });
    const listen = (certFile: string, keyFile: string) => () =>
      second.listen({ host: "127.0.0.1", port: 0, tls: { certFile, keyFile } });
    const { certFile, keyFile } = files();
    writeFileSync(join(folder, "text.pem"), "no certificate");
    const text = join(folder, "text.pem");
    expect(listen(join(folder, "none.pem"), keyFile)).toThrow(/tls\.certFile: .*none\.pem/);
    expect(listen(text, keyFile)).toThrow(/tls\.certFile: .*text\.pem is not a PEM file/);
    expect(listen(certFile, text)).toThrow(/tls\.keyFile: .*text\.pem is not a PEM file/);
    issue("third.example", { certFile: text, keyFile: join(folder, "third.pem") });
    expect(listen(text, keyFile)).toThrow(/key\.pem is not the key of .*text\.pem/);
  });

  test("everything is served with it: pages, calls, and cookies for https alone", async () => {
    const roster = await openTestAppliance({
      config: { tls: files(), publicUrl: "https://roster.example" },
    });
    const at = roster.listen();
    expect(at).toStartWith("https://127.0.0.1:");
    const init = { tls: { rejectUnauthorized: false } };
    const page = await fetch(`${at}/sign-in`, init);
    expect(page.status).toBe(200);
    expect(page.headers.get("set-cookie")).toStartWith("__Host-roster-forms=");
    expect(page.headers.get("strict-transport-security")).not.toBeNull();
    const { key } = await roster.newAccount("pro");
    const headers = { "x-api-key": key };
    expect((await fetch(`${at}/v1/users/ada-example`, { ...init, headers })).status).toBe(200);
    expect(roster.log()).toContain('"client":"127.0.0.1"');
    await roster.close();
  });
});

describe("a socket", () => {
  test("answers, for owner and group, believes its proxy, and is gone afterwards", async () => {
    const path = join(folder, "roster.sock");
    const roster = await openTestAppliance({ config: { host: `unix:${path}` } });
    expect(roster.listen()).toBe("http://localhost");
    expect(statSync(path).mode & 0o777).toBe(0o660);
    const { key } = await roster.newAccount("pro");
    const headers = { "x-api-key": key, "x-forwarded-for": "203.0.113.9" };
    const answer = await fetch("http://localhost/v1/users/ada-example", { unix: path, headers });
    expect(answer.status).toBe(200);
    expect(roster.log()).toContain('"client":"203.0.113.9"');
    await roster.close();
    expect(existsSync(path)).toBe(false);
  });

  test("that a killed server left is removed; one in use, and any other file, is not", async () => {
    const path = join(folder, "left.sock");
    const source = `Bun.serve({ unix: ${JSON.stringify(path)}, fetch: () => new Response() }); console.log("up")`;
    const killed = Bun.spawn([process.execPath, "-e", source], { stdout: "pipe" });
    await killed.stdout.getReader().read();
    await removeDeadSocket(`unix:${path}`);
    expect(existsSync(path)).toBe(true);
    killed.kill("SIGKILL");
    await killed.exited;
    await removeDeadSocket(`unix:${path}`);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, "a file");
    chmodSync(path, 0o600);
    await removeDeadSocket(`unix:${path}`);
    expect(existsSync(path)).toBe(true);
  });
});
