/**
 * Keeps connections from taking every file descriptor. A listener has no limit of connections, and one that gets no descriptor
 * asks for it without end. So when only a reserve is left, the server stops listening and closes connections that are idle or
 * have sent half a request; calls go on. New connections are refused until there is room.
 */
import { isShortOfDescriptors } from "../../../contract/descriptors.ts";
import type { Log } from "../../../operations/log-call.ts";

/** A few hundred connections can be made in this time. */
const lookEveryMs = 50;
/** The log reports the end of a shortage after this time, so that a long flood is one event. */
const quietMs = 5000;

const remedy =
  "raise the limit (ulimit -n, LimitNOFILE), or put a proxy before Roster that bounds connections";

/**
 * @package
 * @param listener.shed stops listening at once; resolves when its connections are closed.
 * @param listener.reopen listens again.
 * @returns a function that stops watching.
 */
export function watchDescriptors(
  log: Log,
  listener: { shed(): Promise<void>; reopen(): void },
): () => void {
  let isOpen = true;
  let isReported = false;
  let shortMs = Number.NEGATIVE_INFINITY;
  const reopen = () => {
    try {
      listener.reopen();
      isOpen = true;
    } catch (err) {
      log.error({ err }, "cannot listen again yet; trying again");
    }
  };
  const look = () => {
    if (isShortOfDescriptors()) {
      shortMs = performance.now();
      if (!isReported)
        log.error({ remedy }, "few file descriptors are left: idle connections are closed");
      isReported = true;
      if (!isOpen) return;
      isOpen = false;
      listener.shed().catch((err) => log.error({ err }, "connections could not be closed"));
      return;
    }
    if (!isOpen) reopen();
    if (!isReported || performance.now() - shortMs < quietMs) return;
    isReported = false;
    log.info("file descriptors are free again");
  };
  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
