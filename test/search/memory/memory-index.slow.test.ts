import { describe } from "bun:test";
import { createMemoryIndex } from "../../../src/search/memory/memory-index.ts";
import { describeSearchAmongThousands } from "../search-index-contract.ts";

describe("the index in memory", () => {
  describeSearchAmongThousands(createMemoryIndex);
});
