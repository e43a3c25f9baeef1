/** What an integrator reads before a first call: the description as YAML, the changes, and whom to tell of a hole. */
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { operations, streamOperations } from "../../src/operations/index.ts";
import { openTestAppliance } from "../appliance.ts";

const securityContact = "mailto:security@corp.example";
const appliance = await openTestAppliance({
  config: { publicUrl: "https://roster.test", securityContact },
});
const { ask } = appliance.client;
afterAll(() => appliance.close());

describe("GET /v1/openapi.yaml", () => {
  test("is the document of /v1/openapi.json, and is sent once to who keeps it", async () => {
    const path = "/v1/openapi.yaml";
    const { headers, body } = await ask({ path });
    expect(headers.get("content-type")).toBe("application/yaml");
    expect(Bun.YAML.parse(body)).toEqual((await ask({ path: "/v1/openapi.json" })).body);
    const tag = headers.get("etag") ?? "";
    expect((await ask({ path, headers: { "if-none-match": tag } })).status).toBe(304);
  });

  test("has every text in quotes, so that readers of YAML 1.1 take none for a date or a boolean", async () => {
    const text: string = (await ask({ path: "/v1/openapi.yaml" })).body;
    const plain = /^\s*(- )*("[^"\n]*"|\w+): (?!["{[\d-]|true$|false$|null$)/;
    expect(text.split("\n").filter((line) => plain.test(line))).toEqual([]);
    expect(text).toContain('last_active_date: "20');
  });
});

interface Change {
  readonly release?: string;
  readonly date: string;
  readonly kind: string;
  readonly text: string;
}

describe("GET /v1/changelog", () => {
  const page = readFileSync(join(import.meta.dir, "../../docs/api-changes.md"), "utf8");

  test("is docs/api-changes.md, as JSON or as Markdown", async () => {
    const { headers, body } = await ask({ path: "/v1/changelog" });
    expect(headers.get("content-type")).toBe("application/json");
    const changes: Change[] = body.changes;
    expect(changes.length).toBe(page.match(/^- /gm)?.length as number);
    for (const { date, kind, text } of changes) {
      expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(["added", "changed", "fixed", "removed"]).toContain(kind);
      expect(text).toMatch(/\.$/);
      expect(text).not.toContain("\n");
    }
    expect(changes.at(-1)).toMatchObject({ release: "0.1.0", date: "2026-11-21", kind: "added" });
    const asked = await ask({ path: "/v1/changelog", headers: { accept: "text/markdown" } });
    expect(asked.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(asked.body).toBe(page);
  });

  test("is in order, with the releases of CHANGELOG.md and every operation of ours", async () => {
    const changes: Change[] = (await ask({ path: "/v1/changelog" })).body.changes;
    const dates = changes.map(({ date }) => date);
    expect(dates.toSorted().reverse()).toEqual(dates);
    const headings = (text: string) => text.match(/^## .*$/gm);
    const changelog = readFileSync(join(import.meta.dir, "../../CHANGELOG.md"), "utf8");
    expect(headings(page)).toEqual(headings(changelog));
    const told = changes.map(({ text }) => text).join("\n");
    const called = [...operations, ...streamOperations].map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
    );
    expect(called.filter((call) => !told.includes(`\`${call}\``))).toEqual([]);
  });
});

describe("GET /.well-known/security.txt", () => {
  const path = "/.well-known/security.txt";

  test("names the operator's contact, and ends within a year", async () => {
    const { status, headers, body } = await ask({ path });
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const fields = new Map<string, string>(
      body
        .trimEnd()
        .split("\n")
        .map((line: string) => line.split(/: (.*)/).slice(0, 2)),
    );
    expect([...fields.keys()]).toEqual(["Contact", "Expires", "Canonical"]);
    expect(fields.get("Contact")).toBe(securityContact);
    expect(fields.get("Canonical")).toBe(`https://roster.test${path}`);
    const days =
      (Date.parse(fields.get("Expires") ?? "") - appliance.clock.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(179);
    expect(days).toBeLessThan(182);
  });

  test("is not there where no contact is set, because a wrong one is worse than none", async () => {
    const silent = await openTestAppliance();
    expect((await silent.client.ask({ path })).status).toBe(404);
    await silent.close();
  });
});
