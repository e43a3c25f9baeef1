/** On SIGHUP, uses secrets that were replaced. Other changed settings are only logged, because they need a restart. */
import { type Config, listChanges } from "../config/config.ts";
import { isFault } from "../contract/fault.ts";
import type { Log } from "../operations/log-call.ts";
import { isShared } from "./folder/open-stores.ts";

/** @param readAgain reads the flags, environment variables and files again. */
export async function readSecretsAgain(
  config: Config,
  readAgain: () => Config,
  log: Pick<Log, "info" | "warn" | "error">,
): Promise<void> {
  try {
    if (isShared(config)) {
      const { renewAddresses } = await import("../control/postgres/postgres-control-store.ts");
      renewAddresses();
      const isInFile = config.secretFiles["database.url"] !== undefined;
      if (!isInFile)
        log.warn("database.url is not read from a file: a change of it needs a restart");
    }
    const changed = listChanges(config, readAgain());
    log.info("SIGHUP: the log file was opened again, and the secrets were read again");
    if (changed.length > 0) log.warn({ changed }, "these settings changed, and need a restart");
  } catch (error) {
    if (!isFault(error)) throw error;
    const reason = error.message;
    log.error({ reason }, "SIGHUP: a setting cannot be used; the previous value stays in use");
  }
}
