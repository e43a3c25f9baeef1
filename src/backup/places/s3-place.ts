/** A bucket of S3-compatible storage. Each request has a signed address, which no error may contain. */
import { S3Client } from "bun";
import { Fault, isFault } from "../../contract/fault.ts";
import { createFileFault } from "../staging-folder.ts";
import {
  atEnd,
  type BackupPlace,
  type Chunks,
  type PlacedArchive,
  type PlacedFile,
  placedName,
  streamChunks,
  watchSilence,
} from "./place.ts";

export interface S3Access {
  readonly endpoint: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
}

interface S3PlaceOptions {
  readonly bucket: string;
  /** The start of all keys. Empty, or with a slash at its end. */
  readonly prefix: string;
  /** Reads the access anew for each request, so that a new key needs no restart. */
  readonly access: () => S3Access;
  readonly silentMs?: number;
}

const addressPattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9][\w.-]*)*)\/?$/;

/** Opens a folder of a bucket. @param address such as `s3://bucket/folder`. @throws Fault `usage`. */
export function openS3Folder(address: string, access: () => S3Access): BackupPlace {
  const [, bucket = "", folder = ""] = addressPattern.exec(address) ?? [];
  if (bucket === "")
    throw new Fault("usage", `${address} is no address such as s3://bucket/folder`);
  return createS3Place({ bucket, prefix: folder && `${folder.slice(1)}/`, access });
}

/** Finds an archive in a bucket. @returns undefined for the path of a file. @throws Fault `usage`. */
export function findInS3(file: string, access: () => S3Access): PlacedArchive | undefined {
  if (!file.startsWith("s3://")) return undefined;
  const at = file.lastIndexOf("/");
  const [folder, name] = [file.slice(0, at), file.slice(at + 1)];
  if (folder === "s3:/" || !placedName.test(name))
    throw new Fault("usage", `${file} must name an archive, such as s3://bucket/folder/name`);
  return { place: openS3Folder(folder, access), name };
}

type Method = "PUT" | "GET" | "DELETE";

export function createS3Place({ bucket, prefix, access, silentMs }: S3PlaceOptions): BackupPlace {
  const label = `s3://${bucket}/${prefix}`;
  const open = () => {
    const { endpoint, region, keyId, secret } = access();
    const keys = { accessKeyId: keyId, secretAccessKey: secret };
    return new S3Client({ bucket, endpoint, region, ...keys });
  };
  /** Makes one request, and yields the answer. @param file the file to send. */
  async function* ask(method: Method, name: string, outer?: AbortSignal, file?: string): Chunks {
    const headers = file ? await describeBody(file) : { "accept-encoding": "identity" };
    const url = open().presign(prefix + name, { method, expiresIn: signedSeconds });
    const { signal, hear, end } = watchSilence(label, outer, silentMs);
    const body = file ? streamChunks(readFile(file, hear)) : null;
    try {
      // A kept connection may be closed by the other side.
      const how = { redirect: "manual", keepalive: false } as const;
      const answer = await fetch(url, { ...how, method, headers, body, signal });
      if (!answer.ok) throw await readRefusal(`${label}${name}`, answer);
      let left = Number(answer.headers.get("content-length") ?? Number.NaN);
      for await (const chunk of answer.body ?? []) {
        hear();
        left -= chunk.length;
        yield chunk as Uint8Array<ArrayBuffer>;
      }
      if (left > 0) throw new Fault("storage", `${label}${name} arrived cut short.`);
    } catch (error) {
      throw describeFailure(`${label}${name}`, signal.aborted ? signal.reason : error);
    } finally {
      end();
    }
  }
  async function list(outer?: AbortSignal) {
    const { signal, hear, end } = watchSilence(label, outer, silentMs);
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    const found: PlacedFile[] = [];
    try {
      signal.throwIfAborted();
      for (let after: string | undefined, isMore = true; isMore; hear()) {
        const asked = open().list({ prefix, ...(after && { continuationToken: after }) });
        const page = await Promise.race([asked, stopped]);
        for (const { key, size: bytes } of page.contents ?? [])
          if (placedName.test(key.slice(prefix.length)))
            found.push({ name: key.slice(prefix.length), bytes });
        after = page.nextContinuationToken;
        isMore = page.isTruncated === true && after !== undefined;
      }
      return found;
    } catch (error) {
      throw describeFailure(label, error);
    } finally {
      end();
    }
  }
  return {
    label,
    put: async (name, file, signal) => void (await Array.fromAsync(ask("PUT", name, signal, file))),
    get: (name, signal) => streamChunks(ask("GET", name, signal)),
    list,
    remove: async (name, signal) => {
      const done = Array.fromAsync(ask("DELETE", name, signal));
      await done.catch((error) => isFault(error, "not_found") || Promise.reject(error));
    },
  };
}

/** Also bounds how far the clocks may differ. */
const signedSeconds = 3600;

/** With a digest, no server keeps half of a file whose sender disappears. */
async function describeBody(file: string) {
  const hasher = new Bun.CryptoHasher("md5");
  for await (const chunk of readFile(file)) hasher.update(chunk);
  return { "content-md5": hasher.digest("base64"), "content-length": String(Bun.file(file).size) };
}

async function* readFile(file: string, hear = (_times?: number) => {}): Chunks {
  try {
    for await (const chunk of Bun.file(file).stream()) {
      hear();
      yield chunk;
    }
    hear(atEnd);
  } catch (error) {
    throw createFileFault(file, error);
  }
}

const answerMax = 64 * 1024;
const skewMsMax = 5 * 60_000;

/** Words a refusal. A server's message is a sentence for people. */
async function readRefusal(target: string, answer: Response): Promise<Fault> {
  const text = (await answer.text()).slice(0, answerMax);
  const [, code = `HTTP ${answer.status}`] = /<Code>([\w.]{1,80})</.exec(text) ?? [];
  const [, message = "it does not say why"] = /<Message>([^<]{1,300})</.exec(text) ?? [];
  const skew = Math.abs(Date.now() - Date.parse(answer.headers.get("date") ?? ""));
  const clocks = skew > skewMsMax ? "Its clock and the clock of this machine differ. " : "";
  return createRefusal(target, code, clocks + message.replace(/&#?\w+;/g, "'"));
}

const createRefusal = (target: string, code: string, message: string) =>
  code === "NoSuchKey"
    ? new Fault("not_found", `${target} does not exist.`)
    : new Fault(
        "storage",
        `${target}: the storage refuses (${code}): ${message.trim().replace(/\.$/, "")}.`,
      );

/** Keeps only the code of an error, because its message and its properties may contain a signed address. */
function describeFailure(target: string, error: unknown): Fault {
  if (isFault(error)) return error;
  const { name, code = name, message } = error as Error & { code?: string };
  // Bun words what no server said as an unexpected error.
  if (name === "S3Error" && !message.includes("unexpected error"))
    return createRefusal(target, code, message);
  const words = /CERT|SIGNED|VERIFY|ALTNAME/.test(code)
    ? "the certificate of the storage is not trusted"
    : "the storage cannot be reached, or broke off";
  return new Fault("storage", `${target}: ${words} (${code}).`);
}
