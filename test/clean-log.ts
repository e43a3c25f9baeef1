/** Held against the log of every server that a test opens: one JSON object a line, and nothing that must stay secret. */

/** By their published forms (docs/security.md), and as cookies, links and the passwords of these tests have them. */
const secrets: readonly RegExp[] = [
  /\brst_[0-9A-Za-z]{49}\b/,
  /\brst_(?:at|rt)_[A-Za-z]{32}\b/,
  /__Host-[\w.-]+=[^;\s"]/,
  /\btoken=[\w-]{16,}/,
  /correct horse battery|otter-climbs/,
];

/**
 * @param log a last line without an end is that of a process that was killed, and may be half of one.
 * @param isOnFullDisk then any line may be cut.
 * @throws Error naming the first line that is none, or that holds a secret.
 */
export function requireCleanLog(log: string, where: string, isOnFullDisk = false): void {
  for (const line of log.split("\n").slice(0, -1)) {
    if (!isOnFullDisk && !isObject(line))
      throw new Error(`${where} has a line that is no JSON: ${line}`);
    const found = secrets.find((secret) => secret.test(line));
    if (found) throw new Error(`${where} has a line with a secret (${found}): ${line}`);
  }
}

function isObject(line: string): boolean {
  try {
    return /^\{/.test(line) && typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}
