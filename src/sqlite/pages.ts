import type { Database } from "./database.ts";

/** Bytes of pages in use, and of pages that are free to be used again. */
export function readPages({ sqlite }: Pick<Database, "sqlite">): {
  readonly usedBytes: number;
  readonly freeBytes: number;
} {
  const read = (name: "page_size" | "page_count" | "freelist_count") =>
    sqlite.query<Record<string, number>, []>(`PRAGMA ${name}`).get()?.[name] ?? 0;
  const free = read("freelist_count");
  const size = read("page_size");
  return { usedBytes: size * (read("page_count") - free), freeBytes: size * free };
}
