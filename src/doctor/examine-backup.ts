import type { Finding } from "./finding.ts";

const backupDaysMax = 7;
const dayMs = 24 * 3_600_000;

/** Judges the age of the last backup. */
export function examineBackup(last: Date | undefined, now: Date): Finding {
  const about = "backup";
  const days = last && Math.floor((now.getTime() - last.getTime()) / dayMs);
  if (last && last > now) {
    const text = `the last one is of ${last.toISOString()}, which is in the future: the clock was ahead then, or is behind now`;
    return { level: "warning", about, text, remedy: "backup" };
  }
  if (days !== undefined && days <= backupDaysMax) {
    return { level: "ok", about, text: `the last is of ${last?.toISOString()}` };
  }
  const text = days === undefined ? "none was ever made" : `the last one is ${days} days old`;
  return { level: "warning", about, text, remedy: "backup" };
}
