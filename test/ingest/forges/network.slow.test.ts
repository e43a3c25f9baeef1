/** The program and a forge as enterprises have them: a private authority, a proxy with a password, a token to keep. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOutput } from "../../child-output.ts";
import { program, sourceProgram } from "../../faults/server-process.ts";
import { isLong } from "../../long.ts";
import { serveDouble } from "./double.ts";
import { serveRecordedGitea } from "./gitea-double.ts";
import { type Authority, hasOpenssl, makeAuthority, servePasswordProxy } from "./tls.ts";

const compiled = join(import.meta.dir, "../../../dist/roster");
/** In the gate the one that users have, where it is built. */
const programs: readonly (readonly [string, readonly string[]])[] = isLong
  ? [
      ["from source", sourceProgram],
      ...(existsSync(compiled) ? [["compiled", [compiled]] as const] : []),
    ]
  : [["as it is built", program]];
const token = "token-that-nobody-may-see";

describe.skipIf(!hasOpenssl).each([...programs])("the program %s", (_, executable) => {
  let folder: string;
  let authority: Authority;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "roster-network-"));
    authority = makeAuthority(folder);
    writeFileSync(join(folder, "token"), `${token}\n`);
    chmodSync(join(folder, "token"), 0o600);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  let runs = 0;
  async function ingest(url: string, args: readonly string[], environment: object = {}) {
    const data = join(folder, `data${++runs}`);
    const command = [
      "ingest",
      "gitea",
      "--url",
      url,
      "--all",
      "--token-file",
      join(folder, "token"),
    ];
    const child = Bun.spawn([...executable, ...command, ...args, "--data", data], {
      env: { ...withoutProxies(), ...environment },
      stdout: "pipe",
      stderr: "pipe",
    });
    const argv = readFileSync(`/proc/${child.pid}/cmdline`, "utf8");
    const { out, err } = await readOutput(child);
    const files = existsSync(data)
      ? readdirSync(data, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
      : [];
    const texts = files.map((one) => readFileSync(join(one.parentPath, one.name), "latin1"));
    // Wherever it ran to, the token is nowhere but in its file.
    expect(`${argv}${out}${err}${texts.join("")}`.includes(token)).toBe(false);
    return { code: await child.exited, said: out + err };
  }

  test("trusts a private authority that is named, and no other", async () => {
    await using forge = serveRecordedGitea("administrator", authority.tls);
    const url = forge.url.replace("127.0.0.1", "localhost");
    const refused = await ingest(url, []);
    expect(refused.code).toBe(5);
    expect(refused.said).toMatch(/certificate|unable to verify|self.signed/i);
    expect(refused.said).not.toContain("    at ");
    const { code, said } = await ingest(url, ["--ca-file", authority.caFile]);
    expect([code, said]).toEqual([0, expect.stringContaining("5 people")]);
    // By the system's own settings, too.
    const bySystem = await ingest(url, [], { SSL_CERT_FILE: authority.caFile });
    expect(bySystem.code).toBe(0);
    // Naming another authority takes none of these away.
    const foreign = makeAuthority(mkdtempSync(join(folder, "foreign-")));
    const system = { SSL_CERT_FILE: authority.caFile };
    const both = await ingest(url, ["--ca-file", foreign.caFile], system);
    expect([both.code, both.said]).toEqual([0, expect.stringContaining("5 people")]);
    const byNode = await ingest(url, [], { NODE_EXTRA_CA_CERTS: authority.caFile });
    expect(byNode.code).toBe(0);
  });

  test("goes through a proxy with a password, and past it where NO_PROXY says so", async () => {
    await using forge = serveRecordedGitea("administrator", authority.tls);
    await using proxy = await servePasswordProxy();
    const url = forge.url.replace("127.0.0.1", "localhost");
    const port = new URL(url).port;
    const args = ["--ca-file", authority.caFile];
    expect((await ingest(url, args, { HTTPS_PROXY: proxy.url })).code).toBe(0);
    expect(proxy.asked.length).toBeGreaterThan(0);
    expect(new Set(proxy.asked)).toEqual(new Set([`localhost:${port}`]));
    const count = proxy.asked.length;
    const past = await ingest(url, args, { HTTPS_PROXY: proxy.url, NO_PROXY: "localhost" });
    expect([past.code, proxy.asked.length]).toEqual([0, count]);
    const wrong = proxy.url.replace("secret-word", "another-word");
    const refused = await ingest(url, args, { HTTPS_PROXY: wrong });
    expect(refused.code).toBe(5);
    expect(refused.said).not.toContain("another-word");
  });

  test("stops where a forge sends elsewhere, and takes the token nowhere", async () => {
    await using other = serveDouble(() => Response.json([]));
    await using forge = serveDouble(() =>
      Response.redirect(`${other.url}/api/v1/users/search`, 302),
    );
    const { code, said } = await ingest(forge.url, []);
    expect(code).toBe(5);
    expect(said).toContain(other.url);
    expect(other.asked).toEqual([]);
    const refusing = await ingest(forge.url.replace("127.0.0.1", "git.corp.example"), []);
    expect(refusing.said).toContain("https://");
    expect(refusing.code).toBe(2);
  });

  test("says of a refused token that it was refused, and not what it is", async () => {
    await using forge = serveDouble(() =>
      Response.json({ message: `invalid ${token}` }, { status: 401 }),
    );
    const { code, said } = await ingest(forge.url, []);
    expect(code).toBe(5);
    expect(said).toContain("was refused (401)");
    expect(said).not.toMatch(/limit/i);
  });

  test("takes a token only from a file that nobody else may read", async () => {
    await using forge = serveRecordedGitea("administrator");
    chmodSync(join(folder, "token"), 0o644);
    const { code, said } = await ingest(forge.url, []);
    chmodSync(join(folder, "token"), 0o600);
    expect([code, said]).toEqual([2, expect.stringContaining("0600")]);
    expect(forge.asked).toEqual([]);
  });
});

function withoutProxies(): NodeJS.ProcessEnv {
  const names = /^(https?_proxy|no_proxy|all_proxy|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.test(name)));
}
