import { describe } from "bun:test";
import { createMemoryIndex } from "../../../src/search/memory/memory-index.ts";
import { describeQueries } from "../resolve-query-contract.ts";
import {
  describeFindingPeople,
  describeSearchAmongThousands,
  describeSearchIndex,
} from "../search-index-contract.ts";

describe("the index in memory", () => {
  describeSearchIndex(createMemoryIndex);
  describeQueries(createMemoryIndex);
  describe("finding people", () => describeFindingPeople(createMemoryIndex));
  describeSearchAmongThousands(createMemoryIndex);
});
