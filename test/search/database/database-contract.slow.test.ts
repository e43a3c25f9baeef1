import { describe } from "bun:test";
import { isLong } from "../../long.ts";
import { hasPostgres } from "../../postgres/database.ts";
import { describeQueries } from "../resolve-query-contract.ts";
import { describeSearchIndex } from "../search-index-contract.ts";
import { openIndexWith, smallShape } from "./shared-database.ts";

describe.skipIf(!hasPostgres)("the index in the database", () => {
  const openIndex = openIndexWith(smallShape);
  if (isLong) describeSearchIndex(openIndex, 10, 2000);
  else describeSearchIndex(openIndex, 4, 500, 1000);
  describeQueries(openIndex);
});
