/** Reads the settings of a running server again. A command asks for it with SIGHUP, and finds the outcome in the data folder. */
import { type Config, type LiveSettings, mergeSettings } from "../config/config.ts";
import { Fault } from "../contract/fault.ts";
import type { Log } from "../operations/log-call.ts";
import { findServer, type ReloadOutcome } from "../sqlite/folder/folder-lock.ts";
import { warnOfOpenSecrets } from "./folder/inspect-folder.ts";
import { refuseBackupsOfNode } from "./folder/open-files.ts";
import { isShared } from "./folder/open-stores.ts";

/** @param readAgain reads the flags, environment variables and files again. */
export function openLiveSettings(
  config: Config,
  readAgain: () => Config,
  { log, now }: { readonly log: Log & { level: string }; readonly now: () => Date },
) {
  let current = config;
  return {
    live: (): LiveSettings => current,
    /** If one setting is wrong, all stay as they were. */
    async reload(): Promise<ReloadOutcome> {
      const beganAtMs = now().getTime();
      try {
        if (isShared(config))
          (await import("../control/postgres/postgres-control-store.ts")).renewAddresses();
        const next = readAgain();
        refuseBackupsOfNode({ ...next, database: config.database });
        const { settings, changed, restart } = mergeSettings(current, next);
        current = settings;
        log.level = settings.logLevel;
        warnOfOpenSecrets(next, log);
        log.info({ changed }, "SIGHUP: the log file was opened, and the settings read, again");
        if (restart.length > 0) log.warn({ restart }, "these settings changed, and need a restart");
        return { beganAtMs, changed, restart };
      } catch (error) {
        const fault = (error as Error).message;
        log.error({ fault }, "SIGHUP: a setting cannot be used; all settings stay as they were");
        return { beganAtMs, changed: [], restart: [], fault };
      }
    },
  };
}

const patienceMs = 30_000;

/** Lets the server of a data folder read its settings again. @throws Fault if no server can be asked, or it does not answer. */
export async function askForReload(data: string, now: () => Date): Promise<ReloadOutcome> {
  // On Windows, a signal would end the server.
  if (process.platform === "win32") throw new Fault("system", "Windows knows no reload: restart.");
  const askedAt = now().getTime();
  for (let isAsked = false; now().getTime() < askedAt + patienceMs; await Bun.sleep(50)) {
    const server = findServer(data);
    if (!server?.isHere) throw new Fault("system", `no server that runs here uses ${data}.`);
    // A server replaces the file with its id, so there may be none for a moment.
    if (!isAsked && server.process) isAsked = process.kill(server.process, "SIGHUP");
    const outcome = server.reloads.find(({ beganAtMs }) => beganAtMs >= askedAt);
    if (outcome) return outcome;
  }
  throw new Fault("system", "the server did not answer within 30 seconds: see its log.");
}
