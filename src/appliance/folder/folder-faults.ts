/** Collects what is wrong with the data folder. Readiness reports every fault until it is cleared. */
export type FolderFaults = ReturnType<typeof createFolderFaults>;

/** @param log is called once for each new text. */
export function createFolderFaults(log: (text: string) => void) {
  const faults = new Map<string, string>();
  return {
    /**
     * @param key identifies the fault, such as "damage:pool.db". A later report with the same key replaces it.
     * @param text a message: the file, what is wrong, and what to do.
     */
    report(key: string, text: string): void {
      if (faults.get(key) === text) return;
      faults.set(key, text);
      log(text);
    },
    clear: (key: string) => void faults.delete(key),
    /** Oldest first. */
    list: (): readonly string[] => [...faults.values()],
  };
}
