/**
 * Collects what is wrong with the data folder: found at the start, by the background check, or by a failed read. Readiness
 * reports every fault until it is cleared.
 */
export interface FolderFaults {
  /**
   * @param key one fault of a kind, e.g. "damage:pool.db": a later report with the same key replaces it.
   * @param text for people: the file, what is wrong, and the way out.
   */
  report(key: string, text: string): void;
  clear(key: string): void;
  /** Makes this the only fault from now on: when the open files are not those in the folder, no other finding is reliable. */
  overrule(text: string): void;
  /** Sets a function that is called before each report, and may replace it. */
  checkFirst(look: () => void): void;
  /** Oldest first. */
  list(): readonly string[];
}

/** @param heard is called with each new text, once, so that it can be logged. */
export function createFolderFaults(heard: (text: string) => void): FolderFaults {
  const faults = new Map<string, string>();
  let overruling: string | undefined;
  let check = () => {};
  return {
    report(key, text) {
      check();
      if (overruling !== undefined || faults.get(key) === text) return;
      faults.set(key, text);
      heard(text);
    },
    clear: (key) => void faults.delete(key),
    overrule(text) {
      faults.clear();
      overruling = text;
      heard(text);
    },
    checkFirst(look) {
      check = look;
    },
    list: () => (overruling === undefined ? [...faults.values()] : [overruling]),
  };
}
