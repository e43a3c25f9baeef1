/**
 * The worker thread that writes archives: one job, one answer. It is a second entry point, so it must be listed on
 * the command line of `bun build --compile` beside src/main.ts.
 */
import { setPriority } from "node:os";
import { createFileFault } from "./staging-folder.ts";
import { type ArchiveJob, writeArchive } from "./write-archive.ts";
import type { ArchiveMessage } from "./write-in-worker.ts";

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<ArchiveJob>) => {
  giveWay();
  const send = (message: ArchiveMessage) => self.postMessage(message);
  try {
    send({ written: await writeArchive(data, (progress) => send({ progress })) });
  } catch (error) {
    const { code, message } = createFileFault(data.target, error);
    send({ failure: { code, message } });
  }
};

/** Calls come first. Linux gives each thread a priority of its own; elsewhere it would be that of the server. */
function giveWay(): void {
  if (process.platform === "linux") setPriority(19);
}
