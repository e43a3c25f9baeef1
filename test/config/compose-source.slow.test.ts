/** Whatever is typed into the form of a source: the table is what the settings read, or the field at fault is named. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { composeSource, readConfig } from "../../src/config/config.ts";
import { forgeKinds } from "../../src/contract/forge-kinds.ts";

const data = mkdtempSync(join(tmpdir(), "roster-sources-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

function readBack(block: string) {
  writeFileSync(
    join(data, "roster.toml"),
    `logLevel = "warn"\n\n[quota]\ntrialDays = 3\n\n${block}\n`,
  );
  return readConfig({ data }, {}).config.sources;
}

const host = fc.domain().map((name) => name.toLowerCase());
/** A text of one line that trimming and splitting at commas do not change. */
const word = fc
  .string({ minLength: 1, maxLength: 30, unit: "grapheme" })
  .map((text) => text.replaceAll(/[,\n\r]/g, "x").trim())
  .filter((text) => text !== "");
const selection = fc.oneof(
  fc.constant("all"),
  fc
    .tuple(fc.constantFrom("org", "team", "group", "user", "search"), word)
    .map(([kind, name]) => `${kind}:${name}`),
);
const form = fc.record({
  kind: fc.constantFrom(...forgeKinds),
  url: fc
    .tuple(fc.constantFrom("https", "http"), host, fc.constantFrom("", ":8443", "/forge", "/a/b"))
    .map(([scheme, name, rest]) => `${scheme}://${name}${rest}`),
  id: fc.constantFrom("", "corp", "git.corp-2", "0"),
  select: fc.array(selection, { minLength: 1, maxLength: 4 }),
  everyHours: fc.option(fc.integer({ min: 1, max: 8760 }), { nil: undefined }),
  tokenFile: fc.option(word, { nil: undefined }),
});

describe("the table that a form makes", () => {
  test("is read by the settings as what was typed", () => {
    fc.assert(
      fc.property(form, ({ select, everyHours, tokenFile, ...typed }) => {
        const made = composeSource(
          {
            ...{ ...typed, select: select.join(", "), everyHours: String(everyHours ?? "") },
            tokenFile: tokenFile ?? "",
          },
          [],
        );
        // A host may be longer than an id.
        if (!made.ok && typed.id === "" && made.field === "id") return;
        if (!made.ok) throw new Error(`${made.field}: ${made.message}`);
        const [source, ...others] = readBack(made.block);
        expect(others).toEqual([]);
        expect(source).toMatchObject({
          ...{ kind: typed.kind, url: typed.url, select, everyHours: everyHours ?? 24 },
          id: typed.id || new URL(typed.url).hostname,
        });
        expect(source?.tokenFile === undefined).toBe(tokenFile === undefined);
        expect((source as { allowHttp?: boolean }).allowHttp ?? false).toBe(
          typed.url.startsWith("http:"),
        );
        expect(made.variable).toMatch(/^ROSTER_SOURCE_[A-Z0-9_]+_TOKEN$/);
      }),
    );
  });

  test("is not made of what the settings refuse, whatever it is", () => {
    const anything = fc.record({
      ...{ kind: fc.string(), url: fc.string({ unit: "binary" }), id: fc.string() },
      ...{ select: fc.string({ unit: "binary" }), everyHours: fc.string() },
      tokenFile: fc.string({ unit: "binary" }),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          form.chain((good) =>
            anything.map((bad) => {
              const { select, everyHours, tokenFile, ...rest } = good;
              return {
                ...rest,
                select: bad.select,
                everyHours: bad.everyHours,
                tokenFile: bad.tokenFile,
              };
            }),
          ),
        ),
        (typed) => {
          const made = composeSource(typed, []);
          if (made.ok) expect(readBack(made.block)).toHaveLength(1);
          else
            expect([typed[made.field] !== undefined, made.message.length > 5]).toEqual([
              true,
              true,
            ]);
        },
      ),
    );
  });

  test.each([
    [{ url: "git.corp.example", id: "" }, "url", "url must be an http or https address"],
    [{ url: "https://me@git.corp.example" }, "url", "without a user"],
    [{ select: "acme" }, "select", 'select[0] must be a list such as ["org:acme"]'],
    [{ select: " , " }, "select", "select must be"],
    [{ everyHours: "often" }, "everyHours", "everyHours must be a whole number from 1 to 8760"],
    [{ kind: "svn" }, "kind", "kind must be"],
    [{ id: "Corp" }, "id", "id must be small letters"],
    [{ id: "taken" }, "id", "the settings have a source taken already"],
  ] as const)("%p is refused, and %s named", (change, field, message) => {
    const good = { kind: "gitea", url: "https://git.corp.example", id: "corp", select: "all" };
    const made = composeSource({ ...good, everyHours: "", tokenFile: "", ...change }, ["taken"]);
    expect(made).toMatchObject({ ok: false, field, message: expect.stringContaining(message) });
  });

  test("has a token file relative to the settings file", () => {
    const typed = { kind: "github", url: "https://github.com", id: "", select: "file:people.txt" };
    const made = composeSource({ ...typed, everyHours: "", tokenFile: "github.token" }, []);
    if (!made.ok) throw new Error(made.message);
    expect(readBack(made.block)).toMatchObject([
      {
        id: "github.com",
        tokenFile: resolve(data, "github.token"),
        select: [`file:${resolve(data, "people.txt")}`],
      },
    ]);
    expect(made.variable).toBe("ROSTER_SOURCE_GITHUB_COM_TOKEN");
  });
});
