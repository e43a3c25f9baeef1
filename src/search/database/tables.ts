/**
 * The tables of the index in the database. A generation is written whole, then switched on by its row, and never changed.
 * Developers are numbered by *ordinal* as in memory (`../generation/generation.ts`); a block has the lists of so many
 * ordinals, one after the other, and everything of a block has its number, so that blocks may lie on several servers.
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

/** @package Its own schema, beside those of control and pool. */
export const search = pgSchema("search");

/** As many bits as a block has ordinals. Bit `at ^ 7` is the developer `at` of the block: the bytes are those of a bitset here. */
const bits = customType<{ data: string; driverData: string }>({ dataType: () => "bit varying" });

/** @package One row for each index that is in use, was in use before, or is being written. */
export const generations = search.table("generation", {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** Of the pool. */
  revision: integer().notNull(),
  /** Of the program: another one makes another index of the same people. */
  edition: text().notNull(),
  developers: integer().notNull(),
  blockSize: integer("block_size").notNull(),
  /** How many developers have each base (`computeBase`), from 0: whole numbers of 32 bits. */
  bases: bytes().notNull(),
  /** Last of all: then it may be searched. */
  isReady: boolean("is_ready").notNull().default(false),
  buildMs: whole("build_ms"),
});

/** @package Who has a key: how many, and who, where they are few. */
export const terms = search.table(
  "term",
  {
    generation: integer().notNull(),
    /** As `PostingsKey`. */
    key: text().notNull(),
    people: integer().notNull(),
    /** Of a list of few: ordinals, ascending, 32 bits each. Absent where blocks have them as bits. */
    ordinals: bytes(),
    /** Parallel to the ordinals; absent as in memory. */
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

/** @package The part of a list of many that is in one block. */
export const blockLists = search.table(
  "block_list",
  {
    generation: integer().notNull(),
    /** Hash of the key. */
    term: bigint({ mode: "bigint" }).notNull(),
    block: integer().notNull(),
    /** Of a list with many people in the block. */
    bits: bits(),
    /** Of any other: these get smaller when they are stored. */
    packedBits: bits("packed_bits"),
    /** Strengths of the developers with a set bit, in order of ordinal; absent as in memory. */
    strengths: bytes(),
    /** The highest score in tenths that anybody in it reaches by this term alone. */
    ceiling: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.generation, table.term, table.block] })],
);

/** @package What is known of each developer of a block, by ordinal. */
export const blocks = search.table(
  "block",
  {
    generation: integer().notNull(),
    block: integer().notNull(),
    /** One record for each, see `people-records.ts`. */
    people: bytes().notNull(),
    /** The best role's tech stack, one byte for each. */
    techStack: bytes("tech_stack").notNull(),
    /** The highest score in tenths where neither a role nor skills are asked for. */
    ceiling: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.generation, table.block] })],
);

/** @package Of the index that is being built: all people, in the order of the pool. */
export const arrivals = search.table("arrival", {
  rowId: integer("row_id").notNull(),
  base: integer().notNull(),
  login: text().notNull(),
});

/** @package Of the index that is being built: all people, by ordinal. */
export const rankings = search.table("ranking", {
  ordinal: integer().primaryKey(),
  rowId: integer("row_id").notNull(),
  loginRank: integer("login_rank").notNull(),
});

/** @package Of the index that is being built: the parts of lists with few people in a block. */
export const sparseLists = search.table("sparse_list", {
  key: text().notNull(),
  term: bigint({ mode: "bigint" }).notNull(),
  block: integer().notNull(),
  people: integer().notNull(),
  /** None where the block has the list as bits: then the row only counts. */
  ordinals: bytes(),
  strengths: bytes(),
  ceiling: integer().notNull(),
});
