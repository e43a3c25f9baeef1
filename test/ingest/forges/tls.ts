/** A private authority, and a proxy that wants a password, as enterprises have them. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";

export const hasOpenssl = Bun.which("openssl") !== null;

export interface Authority {
  /** PEM file of the authority. */
  readonly caFile: string;
  /** What a server for these hosts shows. */
  readonly tls: { readonly key: string; readonly cert: string };
}

export function makeAuthority(folder: string, hosts = ["localhost"]): Authority {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => {
    const done = Bun.spawnSync(["openssl", ...args], { cwd: folder });
    if (done.exitCode !== 0) throw new Error(`openssl ${args[0]}: ${done.stderr}`);
  };
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const authority = ["-subj", "/CN=Test authority", "-keyout", "ca.key", "-out", "ca.pem"];
  openssl("req", "-x509", ...fresh, ...authority);
  const names = `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(",")}`;
  const leaf = ["-CA", "ca.pem", "-CAkey", "ca.key", "-addext", names];
  const subject = ["-subj", "/CN=localhost", "-addext", "basicConstraints=critical,CA:FALSE"];
  openssl("req", "-x509", ...fresh, ...subject, ...leaf, "-keyout", "leaf.key", "-out", "leaf.pem");
  return {
    caFile: at("ca.pem"),
    tls: { key: readFileSync(at("leaf.key"), "utf8"), cert: readFileSync(at("leaf.pem"), "utf8") },
  };
}

export interface PasswordProxy extends AsyncDisposable {
  /** With name and password. */
  readonly url: string;
  /** Hosts that were asked for with the right password; "refused" without. */
  readonly asked: readonly string[];
}

/** Passes TLS through, for those who know the password. */
export async function servePasswordProxy(): Promise<PasswordProxy> {
  const asked: string[] = [];
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on("connect", (request, socket, head) => {
    socket.on("error", () => undefined);
    const wanted = `Basic ${btoa("roster:secret-word")}`;
    if (request.headers["proxy-authorization"] !== wanted) {
      asked.push("refused");
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n");
      return;
    }
    asked.push(request.url ?? "");
    const [host, port] = (request.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://roster:secret-word@127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
