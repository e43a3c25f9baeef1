import { describe } from "bun:test";
import { hasPostgres } from "../../postgres/database.ts";
import { describeQueries } from "../resolve-query-contract.ts";
import { describeFindingPeople, describeSearchIndex } from "../search-index-contract.ts";
import { openIndexWith, smallShape } from "./shared-database.ts";

describe.skipIf(!hasPostgres)("the index in the database", () => {
  const openIndex = openIndexWith(smallShape);
  describeSearchIndex(openIndex, 10);
  describeQueries(openIndex);
  describe("finding people", () => describeFindingPeople(openIndex));
});
