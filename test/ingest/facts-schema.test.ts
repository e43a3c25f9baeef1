import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import { createFactsJsonSchema } from "../../src/ingest/jsonl/export-file.ts";
import { factsOf } from "./sample.ts";

const root = join(import.meta.dir, "../..");

describe("the published JSON Schema", () => {
  test("stands in docs as the program prints it (scripts/seeding/facts-schema.ts writes it)", () => {
    const published = readFileSync(join(root, "docs/facts.schema.json"), "utf8");
    expect(JSON.parse(published)).toEqual(createFactsJsonSchema());
  });

  test("is valid for another validator, which judges lines alike", () => {
    const check = new Ajv2020({ strict: true, allErrors: false }).compile(createFactsJsonSchema());
    const demo = Bun.zstdDecompressSync(readFileSync(join(root, "seed/demo.jsonl.zst"))).toString();
    for (const line of demo.split("\n").slice(0, 200)) expect(check(JSON.parse(line))).toBe(true);
    expect(check(factsOf("ada"))).toBe(true);
    expect(check(factsOf("a b"))).toBe(false);
    expect(check({ ...factsOf("ada"), score: 99 })).toBe(false);
    expect(check({ ...factsOf("ada"), evidence: [{ kind: "rumour" }] })).toBe(false);
    const month = { kind: "language", name: "Go", commits: 1, months: { "2026-13": 1 } };
    expect(check({ ...factsOf("ada"), evidence: [month] })).toBe(false);
  });

  test("describes every field, and names no host", () => {
    const bare: string[] = [];
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      const { properties, items, description, title } = schema as Record<string, unknown>;
      if (path !== "" && !description && !title) bare.push(path);
      for (const [name, field] of Object.entries(properties ?? {})) walk(field, `${path}.${name}`);
      if (items) walk(items, `${path}[]`);
    };
    walk(createFactsJsonSchema(), "");
    expect(bare).toEqual([]);
    const { $schema, ...rest } = createFactsJsonSchema();
    expect(JSON.stringify(rest)).not.toContain("://");
    expect($schema).toBe("https://json-schema.org/draft/2020-12/schema");
  });
});
