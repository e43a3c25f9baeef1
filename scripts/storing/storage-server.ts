/**
 * Real S3 servers, run on this machine's loopback only. Both keep objects as files of a folder. nanio is a package of PyPI that
 * `scripts/test` installs in seconds. versitygw is the fuller one: built from the Go module that `test/backup/storage` pins, it takes
 * the place of nanio once `scripts/storage build` has run.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../test/faults/server-process.ts";
import { findGo, folderOfBuild, runGo } from "../outside/go-module.ts";

export interface Storage {
  readonly port: number;
  /** Without a slash at the end. */
  readonly endpoint: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  /** An object `KEY` of the bucket `BUCKET` is the file `FOLDER/BUCKET/KEY`. */
  readonly folder: string;
  stop(): Promise<void>;
}

export interface StorageOptions {
  /** Empty, or that of a server that was stopped: its buckets are folders. */
  readonly folder: string;
  /** Made first. */
  readonly bucket: string;
  readonly port?: number;
  /** Invented where they are not given. */
  readonly keys?: Pick<Storage, "keyId" | "secret">;
}

const module = join(import.meta.dir, "../../test/backup/storage");
const nanio = join(import.meta.dir, "../../.tools/nanio/bin/nanio");
const region = "eu-test-1";
const patience = 20_000;

/** @returns the server's program; undefined where none is installed. */
export function findStorage(): string | undefined {
  return findBuiltStorage() ?? [nanio].find(existsSync);
}

/** @returns the path of versitygw; undefined where `scripts/storage build` has not run. */
export function findBuiltStorage(): string | undefined {
  return [join(folderOfBuild("versitygw", module), "versitygw")].find(existsSync);
}

/** @returns the path of versitygw. */
export async function buildStorage(): Promise<string> {
  const folder = folderOfBuild("versitygw", module);
  const [binary, making] = ["versitygw", `versitygw.${process.pid}.new`].map((name) =>
    join(folder, name),
  ) as [string, string];
  mkdirSync(folder, { recursive: true });
  console.error("Building versitygw, which takes some minutes ...");
  const flags = ["-mod=readonly", "-p", "2", "-trimpath", "-ldflags", "-s -w", "-o", making];
  const name = "github.com/versity/versitygw/cmd/versitygw";
  await runGo(findGo(module), ["build", ...flags, name], module);
  renameSync(making, binary);
  return binary;
}

/** @param program as `findStorage` names it. */
export async function startStorage(program: string, options: StorageOptions): Promise<Storage> {
  const { folder, bucket, port = await freePort(), keys } = options;
  const { keyId, secret } = keys ?? {
    keyId: `INVENTED${randomBytes(6).toString("hex").toUpperCase()}`,
    secret: randomBytes(24).toString("base64url"),
  };
  mkdirSync(join(folder, bucket), { recursive: true });
  const log = Bun.file(`${folder}.log`);
  const words = program === nanio ? nanioWords(port, folder) : versitygwWords(port, folder);
  const server = Bun.spawn([program, ...words], {
    env: {
      ...{ PATH: process.env["PATH"], ROOT_ACCESS_KEY: keyId, ROOT_SECRET_KEY: secret },
      ...{ NANIO_ACCESS_KEY: keyId, NANIO_SECRET_KEY: secret },
    },
    ...{ stdout: log, stderr: log },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await waitUntilItAnswers(endpoint, server, `${folder}.log`);
  return {
    ...{ port, endpoint, region, keyId, secret, folder },
    async stop() {
      server.kill("SIGKILL");
      await server.exited;
    },
  };
}

const versitygwWords = (port: number, folder: string) => {
  return ["--port", `127.0.0.1:${port}`, "--region", region, "posix", folder];
};

const nanioWords = (port: number, folder: string) => {
  const place = ["--host", "127.0.0.1", "--port", String(port), "--region", region];
  return ["serve", "--data-dir", folder, ...place, "--no-access-log"];
};

async function waitUntilItAnswers(url: string, server: Bun.Subprocess, log: string): Promise<void> {
  const end = Date.now() + patience;
  while (server.exitCode === null && Date.now() < end) {
    if (await fetch(url).catch(() => undefined)) return;
    await Bun.sleep(20);
  }
  server.kill("SIGKILL");
  throw new Error(`The S3 server did not start: ${readFileSync(log, "utf8")}`);
}
