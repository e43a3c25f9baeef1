/** An `ssh` for git: one that runs what the far shell would, as git documents it, or the real one to a real server. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../faults/server-process.ts";

export interface SshWay extends AsyncDisposable {
  /** To put before PATH. */
  readonly path: string;
  /** What a path on the server begins with. */
  readonly server: string;
  /** The arguments of every ssh that git has started. */
  asked(): readonly string[];
}

/** @param command what the program does after it has noted its arguments. */
function writeProgram(folder: string, command: string) {
  const path = join(folder, "bin");
  mkdirSync(path, { recursive: true });
  const log = join(folder, "asked");
  writeFileSync(log, "");
  writeFileSync(join(path, "ssh"), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${log}'\n${command}\n`);
  chmodSync(join(path, "ssh"), 0o755);
  return { path, asked: () => readFileSync(log, "utf8").split("\n").filter(Boolean) };
}

/** The last argument is the command for the server's shell. */
export function openSshDouble(folder: string): SshWay {
  return {
    ...writeProgram(folder, 'for last; do :; done; exec sh -c "$last"'),
    server: "ssh://git@git.example.com",
    [Symbol.asyncDispose]: async () => {},
  };
}

const sshd = ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/opt/homebrew/sbin/sshd"].find(existsSync);
/** A server of root's needs a folder that its package makes. */
export const hasSshd =
  sshd !== undefined &&
  Bun.which("ssh-keygen") !== null &&
  (process.getuid?.() !== 0 || existsSync("/run/sshd"));

/** @param knows whether the user knows the server, and the server the user. */
export async function serveSsh(
  folder: string,
  knows: { readonly host?: boolean; readonly user?: boolean } = {},
): Promise<SshWay> {
  const { host = true, user = true } = knows;
  const at = (name: string) => join(folder, name);
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const login = Bun.spawnSync(["id", "-un"]).stdout.toString().trim();
  for (const key of ["host", "user"]) {
    Bun.spawnSync(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", at(key)]);
  }
  const publicKey = (key: string) => readFileSync(at(`${key}.pub`), "utf8");
  writeFileSync(at("authorized"), user ? publicKey("user") : "");
  writeFileSync(at("known"), host ? `[127.0.0.1]:${port} ${publicKey("host")}` : "");
  writeFileSync(
    at("server"),
    `HostKey ${at("host")}\nListenAddress 127.0.0.1\nPort ${port}\nPidFile none\nStrictModes no\nUsePAM no\n` +
      `AuthorizedKeysFile ${at("authorized")}\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\n`,
  );
  writeFileSync(
    at("client"),
    `IdentityFile ${at("user")}\nIdentitiesOnly yes\nIdentityAgent none\nUserKnownHostsFile ${at("known")}\nGlobalKnownHostsFile /dev/null\n`,
  );
  const server = Bun.spawn([sshd ?? "", "-D", "-e", "-f", at("server")], { stderr: "pipe" });
  for await (const said of server.stderr)
    if (/listening/i.test(Buffer.from(said).toString())) break;
  return {
    ...writeProgram(folder, `exec '${Bun.which("ssh")}' -F '${at("client")}' "$@"`),
    server: `ssh://${login}@127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.kill();
      await server.exited;
    },
  };
}
