/** Collects what is wrong with the data folder. Readiness reports every fault until it is cleared. */
export type FolderFaults = ReturnType<typeof createFolderFaults>;

/** @param log is called once for each new text. */
export function createFolderFaults(log: (text: string) => void) {
  const faults = new Map<string, string>();
  return {
    /**
     * Adds a fault, or replaces the earlier fault with the same key.
     * @param key identifies the fault, such as "damage:pool.db".
     * @param text names the file and says what is wrong and what to do.
     */
    report(key: string, text: string): void {
      if (faults.get(key) === text) return;
      faults.set(key, text);
      log(text);
    },
    clear: (key: string) => void faults.delete(key),
    /** Lists the faults, the oldest first. */
    list: (): readonly string[] => [...faults.values()],
  };
}
