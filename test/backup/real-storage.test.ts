/** The S3 server and the faulty network that tests of backups use do what those tests suppose. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { S3Client } from "bun";
import { type FaultyProxy, startFaultyProxy } from "../network/faulty-proxy.ts";
import { hasStorage, openStorage, type TestStorage } from "./real-storage.ts";

const size = 300_000;
const content = Buffer.alloc(size, "a line of an archive\n");
const md5 = new Bun.CryptoHasher("md5").update(content).digest("base64");

describe.skipIf(!hasStorage)("a real S3 server behind a faulty network", () => {
  let storage: TestStorage;
  let proxy: FaultyProxy;
  beforeAll(async () => {
    storage = await openStorage();
    proxy = await startFaultyProxy(storage.port);
  });
  afterAll(async () => {
    await proxy?.stop();
    await storage?.stop();
  });

  const put = (name: string, signal?: AbortSignal, secret = storage.secret) => {
    const { bucket, region, keyId } = storage;
    const endpoint = `http://127.0.0.1:${proxy.port}`;
    const client = new S3Client({
      ...{ bucket, region, endpoint },
      ...{ accessKeyId: keyId, secretAccessKey: secret },
    });
    const url = client.presign(name, { method: "PUT" });
    // Without it, this server keeps what came before a client hung up.
    const headers = { "content-md5": md5 };
    return fetch(url, { method: "PUT", headers, body: content, ...(signal && { signal }) });
  };
  const stored = (name: string) => join(storage.objects, name);

  test("keeps what is put, for the right key only", async () => {
    expect((await put("whole")).status).toBe(200);
    expect(readFileSync(stored("whole")).equals(content)).toBe(true);
    expect((await put("foreign", undefined, "another secret")).status).toBe(403);
    expect(existsSync(stored("foreign"))).toBe(false);
  });

  test("has nothing of what was cut or fell silent, and all of it after the fault", async () => {
    proxy.fail({ of: "sent", bytes: 100_000, end: "cut" });
    const cut = await put("cut").catch((error: unknown) => error);
    expect(cut).toBeInstanceOf(Error);
    const ending = AbortSignal.timeout(500);
    proxy.fail({ of: "sent", bytes: 100_000, end: "stall" });
    const stalled = await put("stalled", ending).catch((error: unknown) => error);
    expect((stalled as Error).name).toBe("TimeoutError");
    proxy.fail(undefined);
    expect(existsSync(stored("cut"))).toBe(false);
    expect(existsSync(stored("stalled"))).toBe(false);
    expect((await put("cut")).status).toBe(200);
    expect(readFileSync(stored("cut")).equals(content)).toBe(true);
  });

  test("is away and comes back, and can be slow", async () => {
    await proxy.goAway();
    expect(await put("away").catch((error: unknown) => error)).toBeInstanceOf(Error);
    await proxy.comeBack();
    proxy.slow(1000);
    const slow = await put("away", AbortSignal.timeout(500)).catch((error: unknown) => error);
    expect((slow as Error).name).toBe("TimeoutError");
    proxy.slow(undefined);
    expect((await put("away")).status).toBe(200);
  });
});
