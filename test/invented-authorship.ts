/** A git repository of the invented people, as the pool stores it: for the tests that run the whole wiring. */
import type { RepositoryAuthorship } from "../src/pool/pool.ts";

const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;

/** Authors by number. */
export const inventedAuthors = ["ada-example", "ben-sample", "chloe-specimen"] as const;

export const inventedRepository: RepositoryAuthorship = {
  key: "forge.example.com\ndemo-guild/onyx-vault",
  name: "demo-guild/onyx-vault",
  forge: "forge.example.com",
  fingerprint: "1",
  commits: 4,
  files: 3,
  lastDay: day("2026-10-20"),
  columns: {
    day: Uint16Array.from(["2024-02-01", "2025-11-03", "2026-09-01", "2026-10-20"], day),
    author: Uint32Array.of(1, 0, 0, 2),
    files: Uint16Array.of(2, 1, 2, 1),
    flags: Uint8Array.of(0, 0, 4, 0),
    others: {
      commit: Uint32Array.of(1, 3),
      author: Uint32Array.of(2, 0),
      kind: Uint8Array.of(0, 1),
    },
  },
  blocks: [
    {
      paths: ["docs/guide.md", "services/payments/ledger.ts", "services/payments/money.ts"],
      flags: Uint8Array.of(1, 1, 1),
      starts: Uint32Array.of(0, 2, 5, 6),
      commit: Uint32Array.of(0, 3, 0, 1, 2, 2),
      added: Uint16Array.of(40, 10, 100, 30, 20, 60),
      deleted: Uint16Array.of(0, 5, 0, 20, 40, 0),
    },
  ],
  packages: [{ name: "npm:example-money", relation: "makes", paths: Uint32Array.of(1, 2) }],
};
