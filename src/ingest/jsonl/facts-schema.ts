import { Facts } from "../../contract/people/facts.ts";

/**
 * The published JSON Schema of one line of `import` and `export`: the very object that checks them.
 * The identifier names the form, not an address; a change that old files do not fit raises its number.
 */
export function createFactsJsonSchema(): Record<string, unknown> {
  // The library's marks are symbols: they fall away in JSON.
  const plain = JSON.parse(JSON.stringify(Facts)) as Record<string, unknown>;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:roster:facts:1",
    title: "Facts of one developer",
    ...plain,
  };
}
