/**
 * What is wrong with the data folder, from wherever it is noticed: at the start, by the background check, by a read
 * that failed. Readiness reports every fault until it is cleared.
 */
export interface FolderFaults {
  /**
   * @param key one fault of a kind, e.g. "damage:pool.db": a later report with the same key replaces it.
   * @param text for people: the file, what is wrong, and the way out.
   */
  report(key: string, text: string): void;
  clear(key: string): void;
  /** Oldest first. */
  list(): readonly string[];
}

/** @param heard is called with each new text, once, so that it can be logged. */
export function createFolderFaults(heard: (text: string) => void): FolderFaults {
  const faults = new Map<string, string>();
  return {
    report(key, text) {
      if (faults.get(key) === text) return;
      faults.set(key, text);
      heard(text);
    },
    clear: (key) => void faults.delete(key),
    list: () => [...faults.values()],
  };
}
