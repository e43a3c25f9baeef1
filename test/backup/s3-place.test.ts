/** Archives are stored in a real bucket, whole or not at all, and faults are told in words without a secret. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createS3Place, type S3Access } from "../../src/backup/places/s3-place.ts";
import { type FaultyProxy, startFaultyProxy } from "../network/faulty-proxy.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { makeFolder } from "../temporary-folder.ts";
import { hasStorage, openStorage, type TestStorage } from "./real-storage.ts";

const newFolder = temporaryFolders();
const size = 6_000_000;

describe.skipIf(!hasStorage)("a bucket", () => {
  let storage: TestStorage;
  let proxy: FaultyProxy;
  const file = join(makeFolder("place"), "file");
  const content = crypto.getRandomValues(new Uint8Array(60_000));
  const whole = Buffer.concat(Array.from({ length: size / content.length }, () => content));
  beforeAll(async () => {
    storage = await openStorage();
    proxy = await startFaultyProxy(storage.port);
    writeFileSync(file, whole);
  });
  afterAll(async () => {
    await proxy?.stop();
    await storage?.stop();
  });

  const open = (more: Partial<S3Access> = {}, bucket = storage.bucket, silentMs = 1000) => {
    const { region, keyId, secret } = storage;
    const endpoint = `http://127.0.0.1:${proxy.port}`;
    const access = () => ({ endpoint, region, keyId, secret, ...more });
    return createS3Place({ bucket, prefix: "roster/", access, silentMs });
  };
  /** @returns the error in words, which must not contain what only the operator may know. */
  const faultOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => new Error("no error"),
      (thrown: Error) => thrown,
    );
    expect(Bun.inspect(error)).not.toContain("X-Amz");
    expect(Bun.inspect(error)).not.toContain(storage.secret);
    return error.message;
  };
  const read = async (name: string) =>
    Buffer.from(await new Response(open().get(name)).arrayBuffer());
  const names = async () => (await open().list()).map(({ name }) => name).sort();

  test("gives back what it was given, lists it with its size, and removes it", async () => {
    const place = open();
    await place.put("a.tar.zst", file);
    expect((await read("a.tar.zst")).equals(whole)).toBe(true);
    expect(await place.list()).toEqual([{ name: "a.tar.zst", bytes: size }]);
    await place.remove("a.tar.zst");
    await place.remove("a.tar.zst");
    expect(await place.list()).toEqual([]);
    expect(await faultOf(read("a.tar.zst"))).toBe(
      `s3://${storage.bucket}/roster/a.tar.zst does not exist.`,
    );
  });

  test("has more files than fit on one page of its list", async () => {
    const small = join(newFolder(), "small");
    writeFileSync(small, "x");
    await open().put("many-0000", small);
    const folder = join(storage.objects, "roster");
    for (let at = 1; at < 1100; at++)
      writeFileSync(join(folder, `many-${String(at).padStart(4, "0")}`), "x");
    expect((await names()).filter((name) => name.startsWith("many-")).length).toBe(1100);
    for (let at = 0; at < 1100; at++)
      await Bun.file(join(folder, `many-${String(at).padStart(4, "0")}`)).delete();
  });

  test("keeps nothing of what was cut, fell silent or was stopped, and takes it afterwards", async () => {
    proxy.fail({ of: "sent", bytes: 2_000_000, end: "cut" });
    expect(await faultOf(open().put("cut", file))).toContain("cannot be reached, or broke off");
    proxy.fail({ of: "sent", bytes: 2_000_000, end: "stall" });
    expect(await faultOf(open().put("stalled", file))).toContain("did nothing for 1 seconds");
    proxy.fail(undefined);
    proxy.slow(1_000_000);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 1500);
    expect(await faultOf(open({}, storage.bucket, 5000).put("stopped", file, stop.signal))).toBe(
      "Stopped.",
    );
    proxy.slow(undefined);
    await Bun.sleep(300);
    expect(await names()).toEqual([]);
    await open().put("cut", file);
    expect((await read("cut")).equals(whole)).toBe(true);
  });

  test("tells a download that was cut or fell silent from a whole one", async () => {
    proxy.fail({ of: "received", bytes: 2_000_000, end: "cut" });
    expect(await faultOf(read("cut"))).toContain("cannot be reached, or broke off");
    proxy.fail({ of: "received", bytes: 2_000_000, end: "stall" });
    expect(await faultOf(read("cut"))).toContain("did nothing for 1 seconds");
    proxy.fail(undefined);
  });

  test("that is slow is waited for", async () => {
    proxy.slow(3_000_000);
    expect((await read("cut")).equals(whole)).toBe(true);
    proxy.slow(undefined);
  });

  test("a reader that stops early leaves no transfer behind", async () => {
    const reader = open().get("cut").getReader();
    await reader.read();
    await reader.cancel();
    // What was under way still arrives.
    await Bun.sleep(200);
    const before = proxy.passed.received;
    await Bun.sleep(300);
    expect(proxy.passed.received).toBe(before);
  });

  test("faults are told in words: wrong key, no bucket, away, no such host", async () => {
    // A large one may be broken off before its sender hears why.
    const small = join(newFolder(), "small");
    writeFileSync(small, "x");
    for (const [place, words] of [
      [open({ secret: "another-secret" }), "the signature you provided"],
      [open({}, "nothing-here"), "bucket does not exist"],
      [open({ endpoint: "http://127.0.0.1:1" }), "cannot be reached"],
      [open({ endpoint: "http://nothing.invalid" }), "cannot be reached"],
      [open({ endpoint: `https://127.0.0.1:${proxy.port}` }), "cannot be reached"],
    ] as const) {
      expect(await faultOf(place.put("a", small))).toContain(words);
      expect(await faultOf(new Response(place.get("a")).text())).toContain(words);
      expect(await faultOf(place.list())).toContain(words);
      expect(await faultOf(place.remove("a"))).toContain(words);
    }
    expect(await names()).toEqual(["cut"]);
  });

  test("a list that is not answered ends, and a file that is missing is named", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const place = open({ endpoint: `http://127.0.0.1:${port}` });
    expect(await faultOf(place.list())).toContain("did nothing for 1 seconds");
    silent.close();
    const missing = join(newFolder(), "missing");
    expect(await faultOf(open().put("a", missing))).toBe(`${missing} does not exist.`);
    const objects = readdirSync(join(storage.objects, "roster"));
    // The server's own drafts are no objects.
    expect(objects.filter((name) => !name.startsWith("."))).toEqual(["cut"]);
  });
});

test("a clock that is wrong is told from a wrong key", async () => {
  const date = new Date(Date.now() - 3 * 3_600_000).toUTCString();
  const body = "<Error><Code>AccessDenied</Code><Message>No.</Message></Error>";
  using server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: () => new Response(body, { status: 403, headers: { date } }),
  });
  const access = () => ({ endpoint: server.url.href, region: "x", keyId: "k", secret: "s" });
  const place = createS3Place({ bucket: "backups", prefix: "", access });
  const told = await place.remove("a").catch((error: Error) => error.message);
  expect(told).toContain("Its clock and the clock of this machine differ");
});
