import type { SchemaKind } from "../../postgres/migrate.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import completion from "./migrations/0001_completion.sql" with { type: "text" };
import weights from "./migrations/0002_weights.sql" with { type: "text" };
import sorting from "./migrations/0003_sorting.sql" with { type: "text" };

export const searchSchemaKind: SchemaKind = {
  name: "search",
  migrations: [first, completion, weights, sorting],
};
