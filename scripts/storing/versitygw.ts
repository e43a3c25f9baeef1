/**
 * A real S3 server: versitygw, which keeps objects as files of a folder. Built from the Go module that `test/backup/storage` pins,
 * and run on this machine's loopback only.
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
const region = "eu-test-1";
const patience = 20_000;

/** @returns the binary's path; undefined where `scripts/storage build` has not run. */
export function findStorage(): string | undefined {
  const binary = join(folderOfBuild("versitygw", module), "versitygw");
  return existsSync(binary) ? binary : undefined;
}

/** @returns the binary's path. */
export async function buildStorage(): Promise<string> {
  const folder = folderOfBuild("versitygw", module);
  const [binary, making] = ["versitygw", `versitygw.${process.pid}.new`].map((name) =>
    join(folder, name),
  ) as [string, string];
  mkdirSync(folder, { recursive: true });
  console.error(
    "Building versitygw: 400 MB to download and, on two cores, some 4 minutes of work ...",
  );
  const flags = ["-mod=readonly", "-p", "2", "-trimpath", "-ldflags", "-s -w", "-o", making];
  const name = "github.com/versity/versitygw/cmd/versitygw";
  await runGo(findGo(module), ["build", ...flags, name], module);
  renameSync(making, binary);
  return binary;
}

export async function startStorage(binary: string, options: StorageOptions): Promise<Storage> {
  const { folder, bucket, port = await freePort(), keys } = options;
  const { keyId, secret } = keys ?? {
    keyId: `INVENTED${randomBytes(6).toString("hex").toUpperCase()}`,
    secret: randomBytes(24).toString("base64url"),
  };
  mkdirSync(join(folder, bucket), { recursive: true });
  const log = Bun.file(`${folder}.log`);
  const address = `127.0.0.1:${port}`;
  const server = Bun.spawn([binary, "--port", address, "--region", region, "posix", folder], {
    env: { PATH: process.env["PATH"], ROOT_ACCESS_KEY: keyId, ROOT_SECRET_KEY: secret },
    ...{ stdout: log, stderr: log },
  });
  await waitUntilItAnswers(`http://${address}`, server, `${folder}.log`);
  return {
    ...{ port, endpoint: `http://${address}`, region, keyId, secret, folder },
    async stop() {
      server.kill("SIGKILL");
      await server.exited;
    },
  };
}

async function waitUntilItAnswers(url: string, server: Bun.Subprocess, log: string): Promise<void> {
  const end = Date.now() + patience;
  while (server.exitCode === null && Date.now() < end) {
    if (await fetch(url).catch(() => undefined)) return;
    await Bun.sleep(20);
  }
  server.kill("SIGKILL");
  throw new Error(`versitygw did not start: ${readFileSync(log, "utf8")}`);
}
