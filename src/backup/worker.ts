/** The worker thread that writes and encrypts archives. `bun build --compile` must list this file as an entry point. */
import { setPriority } from "node:os";
import { serveJobs } from "../contract/descriptors.ts";
import { Fault } from "../contract/fault.ts";
import type { BackupProgress } from "./read-archive.ts";
import { createFileFault } from "./staging-folder.ts";
import { writeArchive, writeEncrypted } from "./write-archive.ts";
import type { ArchiveMessage, ArchiveOrder } from "./write-in-worker.ts";

declare const self: Worker;

serveJobs(async ({ job, stop }: ArchiveOrder) => {
  // On other systems, the whole server would become slower. At the lowest priority, it would hardly go on where others keep the
  // machine busy.
  if (process.platform === "linux") setPriority(10);
  const send = (message: ArchiveMessage) => self.postMessage(message);
  const goOn = (progress: BackupProgress) => {
    if (Atomics.load(stop, 0) === 1) throw new Fault("interrupted", "Stopped. No backup was made.");
    send({ progress });
  };
  try {
    const written = "source" in job ? writeEncrypted(job, goOn) : writeArchive(job, goOn);
    send({ written: await written });
  } catch (error) {
    const { code, message } = createFileFault(job.target, error);
    send({ failure: { code, message } });
  }
});
