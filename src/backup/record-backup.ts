import type { ControlStore } from "../control/control-store.ts";
import type { BackupReceipt } from "./make-backup.ts";

/**
 * Notes a backup where every process and the audit log have it; names no file, whose path may name people.
 *
 * @param actor as in the audit log.
 */
export async function recordBackup(
  control: Pick<ControlStore, "record">,
  { bytes, manifest }: BackupReceipt,
  actor: "operator" | "server",
): Promise<void> {
  const at = new Date(manifest.madeAt);
  const { people = null, accounts = null, activeKeys = null } = manifest.counts;
  const detail = { bytes, people, accounts, activeKeys };
  const subject = manifest.instance ?? "";
  await control.record({ at, actor, action: "backup.made", subject, detail });
}
