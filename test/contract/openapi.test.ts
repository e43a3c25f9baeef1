import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SwaggerParser from "@apidevtools/swagger-parser";
import Ajv2020 from "ajv/dist/2020";
import { problems } from "../../src/contract/problem.ts";
import { operations, streamOperations } from "../../src/operations/index.ts";
import { searchDevelopers } from "../../src/operations/search-developers.ts";
import { formats } from "../api-client.ts";
import { openTestAppliance } from "../appliance.ts";
import { isLong } from "../long.ts";

// biome-ignore lint/suspicious/noExplicitAny: The validators vouch for the form.
type Json = any;

const appliance = await openTestAppliance({ config: { publicUrl: "https://roster.test" } });
const document = (await appliance.client.ask({ path: "/v1/openapi.json" })).body;
afterAll(() => appliance.close());

describe("GET /v1/openapi.json", () => {
  test("is OpenAPI 3.1 of this server", () => {
    expect(document.openapi).toStartWith("3.1.");
    expect(document.servers).toEqual([{ url: "https://roster.test", description: "This Roster" }]);
  });

  test("is valid for swagger-parser", async () => {
    const api = await SwaggerParser.validate(structuredClone(document));
    expect(Object.keys(api.paths ?? {}).length).toBe(operations.length + streamOperations.length);
  });

  test("is clean for Redocly's recommended rules", () => {
    const folder = mkdtempSync(join(tmpdir(), "roster-openapi-"));
    try {
      const file = join(folder, "openapi.json");
      writeFileSync(file, JSON.stringify(document));
      const bin = join(import.meta.dir, "../../node_modules/@redocly/cli/bin/cli.js");
      const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
      const run = Bun.spawnSync(
        [process.execPath, "--bun", bin, "lint", "--format=json", "--extends=recommended", file],
        { cwd: folder, env: { ...process.env, ...quiet } },
      );
      const output = run.stdout.toString();
      const report = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
      expect(report.problems).toEqual([]);
      expect(run.exitCode).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("calls a text with control characters, or a blank one, what the API does: malformed", async () => {
    const fits = openSchemas().compile({ $ref: "openapi#/components/schemas/SearchRequest" });
    // In the gate the ends of each range, and what is written often.
    const codes = isLong
      ? Array.from({ length: 0xa0 }, (_, code) => code)
      : [0, 1, 9, 10, 13, 31, 32, 65, 126, 127, 128, 133, 159];
    const controls = codes.map((code) => String.fromCodePoint(code));
    const others = [" ", "\u3000", " x ", "Zürich", "🙂", "Go\n"];
    for (const text of [...controls.map((one) => `Ber${one}lin`), ...others]) {
      for (const field of ["location", "role", "skills", "languages"]) {
        const value = field === "skills" || field === "languages" ? [text] : text;
        const body = { location: "Berlin", [field]: value };
        const { status, body: answer } = await appliance.client.search(body);
        // A role that is no role is 400 as well, in words of its own.
        const isMalformed = status === 400 && answer.error.message.includes(" must be a text");
        expect([field, text, isMalformed]).toEqual([field, text, !fits(body)]);
        expect(isMalformed).toBe(/\p{Cc}/u.test(text) || text.trim() === "");
      }
    }
  });

  test("lists exactly the operations that are mounted, with their schemas", () => {
    const listed = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const mounted = [...operations, ...streamOperations];
    expect(listed.sort()).toEqual(
      mounted.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`).sort(),
    );
    for (const { name, path, method } of mounted) {
      const item = document.paths[path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()];
      expect(item.operationId).toBe(name);
    }
  });

  test("describes every status that the route can answer, and marks what is no operation of the API document", () => {
    const described = Object.entries<Json>(document.paths).map(([path, item]) => {
      const [{ tags, responses }] = Object.values<Json>(item);
      return [path, ...tags, Object.keys(responses).map(Number)];
    });
    expect(described).toEqual([
      ["/v1/search", "Developers", [200, 400, 401, 405, 413, 415, 422, 429, 500, 503]],
      ["/v1/users/{login}", "Developers", [200, 304, 400, 401, 404, 405, 429, 500, 503]],
      [
        "/v1/profile/analyze",
        "Developers",
        [200, 400, 401, 404, 405, 413, 415, 422, 429, 500, 503],
      ],
      ["/v1/lookup", "Additions", [200, 304, 400, 401, 405, 429, 500, 503]],
      ["/v1/people/find", "Additions", [200, 400, 401, 405, 413, 415, 422, 429, 500, 503]],
      ["/v1/who", "Additions", [200, 400, 401, 404, 405, 413, 415, 422, 429, 500, 503]],
      ["/v1/users/batch", "Additions", [200, 400, 401, 405, 413, 415, 422, 429, 500, 503]],
      ["/v1/usage", "Additions", [200, 304, 400, 401, 405, 429, 500, 503]],
      ["/v1/changes", "Additions", [200, 304, 400, 401, 405, 429, 500, 503]],
      ["/v1/export", "Additions", [200, 400, 401, 403, 405, 429, 500, 503]],
    ]);
  });

  test("lists the query of a GET by name", () => {
    const { parameters } = document.paths["/v1/lookup"].get;
    const listed = parameters.map((each: Json) => [
      ...[each.name, each.in, each.required, typeof each.description],
    ]);
    expect(listed).toEqual([
      ["q", "query", false, "string"],
      ["kind", "query", false, "string"],
      ["limit", "query", false, "string"],
    ]);
  });

  test("asks for one header form, so that generated clients send one, and names the other", () => {
    expect(document.security).toEqual([{ bearer: [] }]);
    const { bearer, ...others } = document.components.securitySchemes;
    expect(others).toEqual({});
    expect(bearer).toMatchObject({ type: "http", scheme: "bearer" });
    expect(bearer.description).toContain("`X-Api-Key: <API_KEY>`");
  });

  test("has the codes of the document and no other", () => {
    const { code } = document.components.schemas.ErrorEnvelope.properties.error.properties;
    expect(code.enum).toEqual(Object.keys(problems));
  });

  test("says what each field of an answer is", () => {
    const silent: string[] = [];
    walk(document.components.schemas, "", (schema, path) => {
      for (const [name, property] of Object.entries<Json>(schema.properties ?? {})) {
        const isRule = path.includes("/not/");
        if (!property.description && !property.$ref && !isRule) silent.push(`${path}.${name}`);
      }
    });
    expect(silent).toEqual([]);
  });

  test("closes every object of a request, and lets every object of an answer have more", () => {
    const { requests, answers } = listObjects();
    expect(requests.length).toBeGreaterThanOrEqual(4);
    expect(answers.length).toBeGreaterThan(60);
    const isMap = ({ additionalProperties }: Json) => additionalProperties?.type;
    expect(requests.filter((each) => each.additionalProperties !== false)).toEqual([]);
    // Without a word, openapi-generator closes them.
    const closed = answers.filter((each) => each.additionalProperties !== true && !isMap(each));
    expect(closed).toEqual([]);
  });

  test("says of success only that it is a boolean", () => {
    const said = listObjects().answers.flatMap(({ properties }) => properties?.success ?? []);
    expect(said).toHaveLength(operations.length + 1);
    for (const each of said) {
      expect(each).toEqual({ type: "boolean", description: expect.any(String) });
    }
  });

  test("has no form that generators of clients get wrong", () => {
    const wrong: string[] = [];
    walk(document.components.schemas, "", (schema, path) => {
      if (/\/not\b/.test(path)) return;
      // A default makes a field required, a choice or a pattern of names makes it a type of its own.
      for (const word of ["default", "anyOf", "oneOf", "allOf", "patternProperties", "if"]) {
        if (word in schema) wrong.push(`${path}: ${word}`);
      }
    });
    expect(wrong).toEqual([]);
  });

  test("describes no object in two places", () => {
    const places = new Map<string, string[]>();
    walk([document.components.schemas, document.components.responses], "", (schema, path) => {
      if (schema.type !== "object" || path.includes("/not/")) return;
      const { description, ...form } = schema;
      const text = JSON.stringify(form);
      places.set(text, [...(places.get(text) ?? []), path]);
    });
    expect(places.size).toBeGreaterThan(40);
    expect([...places.values()].filter(({ length }) => length > 1)).toEqual([]);
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(expect.arrayContaining(["SearchResult", "Repository", "Developer"]));
  });

  test("gives every day as a date", () => {
    const days: string[] = [];
    walk(document.components.schemas, "", (schema, path) => {
      if (schema.format === "date") days.push(path.split("/").at(-1) as string);
      const isBare = schema.type === "string" && schema.format === undefined;
      const isDay = / day\b|^Day |YYYY-MM-DD|ISO 8601/.test(schema.description ?? "");
      if (isBare && isDay) days.push(`${path} has no format`);
    });
    expect([...new Set(days)].sort()).toEqual([
      ...["activeSince", "activity_until", "asOf", "first", "firstCommit", "historyEnd"],
      ...[
        "historyStart",
        "last",
        "lastActive",
        "lastCommit",
        "lastDay",
        "last_active_date",
        "until",
      ],
    ]);
  });

  test("says what POST /v1/who needs, as the server does", async () => {
    const fits = openSchemas().compile({ $ref: "openapi#/components/schemas/WhoRequest" });
    const name = "acme/payments";
    const bodies: readonly [object, boolean][] = [
      [{}, false],
      [{ limit: 5 }, false],
      [{ paths: [] }, true],
      [{ paths: [], limit: 5 }, true],
      [{ package: "npm:react", path: "src" }, false],
      [{ package: "npm:react", repository: name, paths: ["src"] }, false],
      [{ repository: name, asOf: "2026-02-30" }, false],
      [{ repository: name, asOf: "2026-02-28" }, true],
      [{ repository: name, paths: [] }, true],
      [{ package: "npm:react", repository: name, paths: [] }, true],
      [{ path: "src" }, true],
      [{ paths: ["src"] }, true],
      [{ package: "npm:react" }, true],
    ];
    const { key } = await appliance.newAccount("pro");
    for (const [body, isValid] of bodies) {
      const { status } = await appliance.client.ask({ path: "/v1/who", body, key });
      expect([body, status !== 400]).toEqual([body, isValid]);
      // Formats are for whoever reads them: that a month has no 30th day, none of the validators knows here.
      if (!("asOf" in body)) expect([body, fits(body)]).toEqual([body, isValid]);
    }
  });

  test("shows an answer of each operation, which its schema accepts", () => {
    const schemas = openSchemas();
    for (const [path, item] of Object.entries<Json>(document.paths)) {
      for (const [method, operation] of Object.entries<Json>(item)) {
        // A stream of lines has no schema for all of them.
        if (operation.responses[200].content["application/jsonl"]) continue;
        const at = [path, method, "responses", "200", "content", "application/json", "schema"];
        const pointer = at.map((part) => part.replaceAll("/", "~1")).map(encodeURIComponent);
        const fits = schemas.compile({ $ref: `openapi#/paths/${pointer.join("/")}` });
        const { example } = operation.responses[200].content["application/json"];
        expect([path, fits(example), fits.errors]).toEqual([path, true, null]);
      }
    }
  });

  test("is sent once to who keeps it", async () => {
    const path = "/v1/openapi.json";
    const { headers } = await appliance.client.ask({ path });
    const tag = headers.get("etag") ?? "";
    expect(headers.get("cache-control")).toBe("no-cache");
    const again = await appliance.client.ask({ path, headers: { "if-none-match": tag } });
    expect([again.status, again.body]).toEqual([304, undefined]);
    const other = await appliance.client.ask({ path, headers: { "if-none-match": '"other"' } });
    expect(other.status).toBe(200);
  });

  test("shows a second search, which asks for people of a company and names the fields of its answer", () => {
    const { content } = document.paths["/v1/search"].post.requestBody;
    const { schema, ...shown } = content["application/json"];
    const [all, some] = [searchDevelopers.example, searchDevelopers.fieldsExample];
    expect(shown).toEqual({
      examples: { "all-fields": { value: all }, "some-fields": { value: some } },
    });
    expect(openSchemas().compile({ $ref: `openapi${schema.$ref}` })(some)).toBe(true);
  });

  test("carries examples that its own schemas accept and that find somebody", async () => {
    for (const { path, method, example, name } of operations) {
      const sent = example as Record<string, string>;
      const { [path.split(":")[1] ?? ""]: _, ...rest } = sent;
      const query = method === "GET" ? `?${new URLSearchParams(rest)}` : "";
      const filled = path.replace(/:(\w+)/g, (_, field: string) => sent[field] as string) + query;
      const key = (await appliance.newAccount("pro")).key;
      const body = method === "POST" ? example : undefined;
      const reply = await appliance.client.ask({ path: filled, method, key, body });
      expect([name, reply.status]).toEqual([name, 200]);
      if (reply.body.data.results) expect(reply.body.data.results.length).toBeGreaterThan(0);
    }
  });

  test("needs no key and is the same each time", async () => {
    const again = await appliance.client.ask({ path: "/v1/openapi.json" });
    expect([again.status, again.body]).toEqual([200, document]);
  });
});

/** The objects that requests are made of, and answers, with the components to which each refers. */
function listObjects() {
  const collect = (roots: Json) => {
    const found = new Set<Json>();
    const visit = (schema: Json, path: string) => {
      if (path.includes("/not/") || path.includes("/example")) return;
      const name = schema.$ref?.match(/^#\/components\/schemas\/(\w+)$/)?.[1];
      if (name) return walk(document.components.schemas[name], "", visit);
      if (schema.type === "object") found.add(schema);
    };
    walk(roots, "", visit);
    return [...found];
  };
  const all = Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));
  const requests = collect(all.map(({ requestBody, parameters }) => [requestBody, parameters]));
  const answers = collect([document.components.responses, all.map(({ responses }) => responses)]);
  const shared = requests.filter((each) => answers.includes(each));
  expect(shared).toEqual([]);
  return { requests, answers };
}

function openSchemas() {
  const ajv = new Ajv2020({ strict: false, formats });
  ajv.addSchema(document, "openapi");
  return ajv;
}

function walk(node: Json, path: string, visit: (schema: Json, path: string) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) visit(node, path);
  for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`, visit);
}
