import { closeSync, openSync } from "node:fs";

const lookMilliseconds = 1000;

/**
 * Says in the log when this process can open nothing more: new connections then wait, unseen, until others end, and
 * nothing else tells the operator why.
 *
 * @returns what ends the watch.
 */
export function watchDescriptors(log: {
  error(about: object, message: string): void;
  info(message: string): void;
}): () => void {
  let isOut = false;
  const look = () => {
    const wasOut = isOut;
    isOut = hasNoDescriptor();
    if (isOut === wasOut) return;
    if (isOut) log.error({ remedy }, "no file descriptor is left: new connections wait");
    else log.info("file descriptors are free again");
  };
  const timer = setInterval(look, lookMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

const remedy =
  "raise the limit (ulimit -n, LimitNOFILE), or put a proxy before Roster that bounds connections";

function hasNoDescriptor(): boolean {
  try {
    closeSync(openSync(process.execPath, "r"));
    return false;
  } catch (error) {
    return /^E[MN]FILE$/.test((error as NodeJS.ErrnoException).code ?? "");
  }
}
