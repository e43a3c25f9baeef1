/**
 * The tables of the index in the database. A generation is written completely, then put into use by its row, and never changed.
 * Developers are numbered by *ordinal* as in memory (`../generation/generation.ts`). A block holds the lists of a fixed number of
 * consecutive ordinals. All rows of a block have its number, so blocks can be spread over several servers.
 */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  pgSchema,
  primaryKey,
} from "drizzle-orm/pg-core";
import { bytes, text, whole } from "../../postgres/column-types.ts";

/** @package The schema of the search index, separate from those of control and pool. */
export const search = pgSchema("search");

/**
 * A bitset with one bit for each ordinal of a block. Bit `at ^ 7` in PostgreSQL's order stands for developer `at`, so that the
 * bytes equal those of a bitset in memory.
 */
const bits = customType<{ data: string; driverData: string }>({ dataType: () => "bit varying" });

/** @package One row for each index that is in use, was in use before, or is being written. */
export const generations = search.table("generation", {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** The pool's revision that the index was built from. */
  revision: integer().notNull(),
  /** The edition of the program. Different editions build different indexes from the same people. */
  edition: text().notNull(),
  developers: integer().notNull(),
  blockSize: integer("block_size").notNull(),
  /** The number of developers with each base score (`computeBase`), starting from 0, as 32-bit integers. */
  bases: bytes().notNull(),
  /** Set last, when the index is complete and may be searched. */
  isReady: boolean("is_ready").notNull().default(false),
  buildMs: whole("build_ms"),
});

/** @package The developers with each key: their number, and their ordinals if they are few. */
export const terms = search.table(
  "term",
  {
    generation: integer().notNull(),
    /** A `PostingsKey`. */
    key: text().notNull(),
    people: integer().notNull(),
    /** For a short list: ascending ordinals, 32 bits each. Absent for a long list, which is stored as bits in blocks. */
    ordinals: bytes(),
    /** The strength of each developer, in the order of the ordinals. Absent for a list without strengths. */
    strengths: bytes(),
  },
  (table) => [
    primaryKey({ columns: [table.generation, table.key] }),
    index("term_known_repository")
      .on(table.generation, table.key)
      .where(sql`key >= 'repository:' AND key < 'repository<' AND people >= 8`),
    index("term_owner")
      .on(table.generation, sql`substr(key, strpos(key, E'\\t') + 1)`)
      .where(sql`key >= 'repository:' AND key < 'repository<'`),
  ],
);

/** @package The part of a long list that is in one block. */
export const blockLists = search.table(
  "block_list",
  {
    generation: integer().notNull(),
    /** Number of the list: a hash of its key. */
    term: bigint({ mode: "bigint" }).notNull(),
    block: integer().notNull(),
    /** Uncompressed bits, if the list has many people in the block. */
    bits: bits(),
    /** Compressed bits, if the list has few people in the block. */
    packedBits: bits("packed_bits"),
    /** Strengths of the developers whose bit is set, in order of ordinal. Absent for a list without strengths. */
    strengths: bytes(),
    /** The highest score, in tenths of a point, that a developer of the block reaches in a search for this list only. */
    ceiling: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.generation, table.term, table.block] })],
);

/** @package The figures of the developers of a block, by ordinal. */
export const blocks = search.table(
  "block",
  {
    generation: integer().notNull(),
    block: integer().notNull(),
    /** One record for each developer; see `people-records.ts`. */
    people: bytes().notNull(),
    /** The tech stack for the best role, one byte for each developer. */
    techStack: bytes("tech_stack").notNull(),
    /** The figures by which searches can be sorted, as the columns of a generation in memory. */
    activity: bytes().notNull().default(sql`''::bytea`),
    experience: bytes().notNull().default(sql`''::bytea`),
    followers: bytes().notNull().default(sql`''::bytea`),
    /** The highest score, in tenths of a point, that a developer of the block reaches in a search without a role or skills. */
    ceiling: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.generation, table.block] })],
);

/** @package Used while an index is built: all people, in the order of the pool. */
export const arrivals = search.table("arrival", {
  rowId: integer("row_id").notNull(),
  base: integer().notNull(),
  login: text().notNull(),
});

/** @package Used while an index is built: all people, by ordinal. */
export const rankings = search.table("ranking", {
  ordinal: integer().primaryKey(),
  rowId: integer("row_id").notNull(),
  loginRank: integer("login_rank").notNull(),
});

/** @package Used while an index is built: for each list and block, the number of people, and their ordinals if they are few. */
export const sparseLists = search.table("sparse_list", {
  key: text().notNull(),
  term: bigint({ mode: "bigint" }).notNull(),
  block: integer().notNull(),
  people: integer().notNull(),
  /** NULL if the block stores the list as bits. The row then only counts people. */
  ordinals: bytes(),
  strengths: bytes(),
  ceiling: integer().notNull(),
});
