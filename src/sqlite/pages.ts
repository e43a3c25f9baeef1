import type { Database } from "./database.ts";

export function readPages({ sqlite }: Pick<Database, "sqlite">): {
  readonly usedBytes: number;
  readonly freeBytes: number;
} {
  const free = sqlite.readValue<number>`PRAGMA freelist_count` ?? 0;
  const size = sqlite.readValue<number>`PRAGMA page_size` ?? 0;
  const all = sqlite.readValue<number>`PRAGMA page_count` ?? 0;
  return { usedBytes: size * (all - free), freeBytes: size * free };
}
