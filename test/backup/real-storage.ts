/** The real S3 server that tests run against, with a bucket of its own in a folder of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findStorage, type Storage, startStorage } from "../../scripts/storing/storage-server.ts";

const program = findStorage();
/** `scripts/test` installs one, `scripts/storage build` makes another. */
export const hasStorage = program !== undefined;
if (!hasStorage)
  process.stderr.write("Skips: needs an S3 server, as scripts/test or scripts/storage have it\n");

export interface TestStorage extends Storage {
  readonly bucket: string;
  /** The folder of the bucket: each object is a file in it. */
  readonly objects: string;
  /** Ends the server at once. What it keeps stays. */
  kill(): Promise<void>;
  /** At the same port, with the same keys. */
  restart(): Promise<void>;
}

/** Call `stop` at the end: it removes what is stored too. @param disk a folder for what is stored; default: a temporary one. */
export async function openStorage(disk?: string): Promise<TestStorage> {
  if (program === undefined) throw new Error("There is no S3 server: scripts/storage build.");
  const bucket = "backups";
  const parent = disk ?? mkdtempSync(join(tmpdir(), "roster-storage-"));
  const place = { folder: join(parent, "objects"), bucket };
  let running = await startStorage(program, place);
  const first = running;
  return {
    ...{ ...first, bucket, objects: join(first.folder, bucket) },
    kill: () => running.stop(),
    async restart() {
      await running.stop();
      running = await startStorage(program, { ...place, port: first.port, keys: first });
    },
    async stop() {
      await running.stop();
      rmSync(disk ? place.folder : parent, { recursive: true, force: true });
    },
  };
}
