/**
 * A programmer generates clients from the OpenAPI document of a running Roster, compiles them strictly, and calls: results,
 * refusals and the quota must have the types that the document promises.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { readOutput } from "../child-output.ts";
import { freePort } from "../faults/server-process.ts";
import { isLong } from "../long.ts";
import type { Report } from "./clients/report.ts";
import { type Desk, expectDone, isBuilt, openDesk, type RunningServer, type Said } from "./desk.ts";

const root = join(import.meta.dir, "../..");
const clients = join(import.meta.dir, "clients");
const tools = join(root, ".tools");
const minutes = 60_000;

/** The generators that could be installed here. */
const installed = isBuilt ? await installGenerators() : new Set<string>();

async function installGenerators(): Promise<ReadonlySet<string>> {
  const wanted = ["typescript", "python", "go", "peer", "openapi-generator", "java"];
  // What a Rust client needs takes a minute to compile: in the long form, or where scripts/generators did it before.
  if (isLong || existsSync(join(tools, "rust/.locked"))) wanted.push("rust");
  else process.stderr.write('SKIPPED: the client "rust"; scripts/generators rust prepares it\n');
  const child = Bun.spawn([join(root, "scripts/generators"), ...wanted], { timeout: 8 * minutes });
  const names = (await new Response(child.stdout).text()).split("\n").filter((name) => name !== "");
  for (const name of wanted) {
    if (!names.includes(name))
      process.stderr.write(`SKIPPED: the client "${name}", not installed\n`);
  }
  return new Set(names);
}

/** How one client is made of the document, held against its types, and run. */
interface Integration {
  readonly tool: "typescript" | "python" | "go" | "openapi-generator" | "java" | "rust";
  readonly sources: readonly string[];
  /** Command lines in the client's folder, where the document is `openapi.json`. */
  readonly generate: readonly string[];
  readonly compile: readonly (readonly string[])[];
  readonly run: readonly string[];
  /** Whether its clients hide the headers of an answer. */
  readonly hidesHeaders?: true;
}

const bin = join(clients, "node_modules/.bin");
const python = join(tools, "generators/bin");
const openapiGenerator = join(tools, "openapi-generator/bin");
/** With the options that openapi-generator has by default. */
const generateWith = (language: string, ...options: readonly string[]) => [
  ...[join(openapiGenerator, "openapi-generator-cli"), "generate", "-g", language],
  ...["-i", "openapi.json", "-o", "generated", ...options],
];
const jars = join(tools, "java/*");
const cargo = ["--quiet", "--locked", "--offline"];
const shared = ["report.ts", "tsconfig.json"];
const strictly = [[join(bin, "tsc"), "-p", "."]];

const integrations: Readonly<Record<string, Integration>> = {
  "@hey-api/openapi-ts": {
    tool: "typescript",
    sources: ["hey-api.ts", ...shared],
    generate: ["bun", "--bun", join(bin, "openapi-ts"), "-i", "openapi.json", "-o", "generated"],
    compile: strictly,
    run: ["bun", "hey-api.ts"],
  },
  "openapi-typescript with openapi-fetch": {
    tool: "typescript",
    sources: ["openapi-fetch.ts", ...shared],
    generate: [
      ...["bun", "--bun", join(bin, "openapi-typescript"), "openapi.json", "-o", "generated.ts"],
    ],
    compile: strictly,
    run: ["bun", "openapi-fetch.ts"],
  },
  "openapi-python-client": {
    tool: "python",
    sources: ["python/integrator.py", "python/mypy.ini", "python/config.yml"],
    generate: [
      ...[join(python, "openapi-python-client"), "generate", "--path", "openapi.json"],
      ...["--output-path", "generated", "--overwrite", "--meta", "none", "--fail-on-warning"],
      // It reads a stream of lines only where it is told that it is one.
      ...["--config", "config.yml"],
    ],
    compile: [[join(python, "mypy"), "integrator.py", "generated"]],
    run: [join(python, "python"), "integrator.py"],
  },
  "oapi-codegen": {
    tool: "go",
    sources: ["go/main.go", "go/go.mod", "go/go.sum"],
    generate: [
      ...[join(tools, "oapi-codegen"), "-generate", "types,client", "-package", "generated"],
      ...["-o", "generated/client.go", "openapi.json"],
    ],
    compile: [
      ["go", "vet", "./..."],
      ["go", "build", "-o", "integrator", "."],
    ],
    run: ["./integrator"],
  },
  "openapi-generator for Python": {
    tool: "openapi-generator",
    sources: ["openapi-generator/python/integrator.py", "openapi-generator/python/mypy.ini"],
    generate: generateWith("python"),
    compile: [[join(openapiGenerator, "mypy"), "integrator.py"]],
    run: ["env", "PYTHONPATH=generated", join(openapiGenerator, "python"), "integrator.py"],
  },
  "openapi-generator for Java": {
    tool: "java",
    sources: ["openapi-generator/java/Integrator.java"],
    generate: generateWith("java"),
    // Raw types and casts that nothing needs are in what the generator makes of any document.
    compile: [
      [
        ...["javac", "-Xlint:all,-rawtypes,-cast", "-Werror", "-cp", jars, "-d", "classes"],
        ...["-sourcepath", "generated/src/main/java", "Integrator.java"],
      ],
    ],
    run: ["java", "-cp", `classes:${jars}`, "Integrator"],
  },
  "openapi-generator for Rust": {
    tool: "rust",
    sources: ["main.rs", "Cargo.toml", "Cargo.lock"].map(
      (name) => `openapi-generator/rust/${name}`,
    ),
    // The version of the crate is in the lock file; by default it is that of the document.
    generate: generateWith("rust", "--additional-properties=packageVersion=1.0.0"),
    compile: [["cargo", "build", ...cargo]],
    run: ["cargo", "run", ...cargo],
    hidesHeaders: true,
  },
};

describe.skipIf(!isBuilt)(
  "an integrator's clients, of the document of a server with default settings",
  () => {
    let desk: Desk;
    let server: RunningServer;
    let key: string;
    let openapi: string;

    beforeAll(async () => {
      desk = openDesk();
      server = await desk.serve("--port", `${await freePort()}`);
      [key = ""] = server.printed("key").split(" ");
      openapi = await (await fetch(`${server.address}/v1/openapi.json`)).text();
    }, 2 * minutes);
    afterAll(() => desk.clear());

    const openAccount = async (email: string, ...limits: readonly string[]) => {
      const create = ["account", "create", email, "--plan", "pro", ...limits, "--json"];
      const made = await desk.roster(...create);
      return JSON.parse(expectDone(made)).key as string;
    };

    for (const [name, integration] of Object.entries(integrations)) {
      describe.skipIf(!installed.has(integration.tool))(name, () => {
        let folder: string;
        let seen: Report;
        const run = async (
          command: readonly string[],
          env: Readonly<Record<string, string>> = {},
        ) => expectDone(await runIn(folder, command, env));

        beforeAll(() => {
          folder = join(desk.folder, `client-${integration.tool}-${name.length}`);
          mkdirSync(join(folder, "generated"), { recursive: true });
          writeFileSync(join(folder, "openapi.json"), openapi);
          for (const source of integration.sources) {
            cpSync(join(clients, source), join(folder, source.split("/").at(-1) as string));
          }
          if (integration.tool === "typescript") {
            symlinkSync(join(clients, "node_modules"), join(folder, "node_modules"));
          }
        });

        test(
          "is generated, and compiles strictly",
          async () => {
            await run(integration.generate);
            for (const command of integration.compile) await run(command);
          },
          5 * minutes,
        );

        const report = async (address: string, email: string): Promise<Report> => {
          const settings = {
            ROSTER_URL: address,
            ROSTER_KEY: await openAccount(`${email}@example.com`),
            ROSTER_ADMIN_KEY: key,
            ROSTER_SPENT_KEY: await openAccount(
              `${email}-spent@example.com`,
              "--calls-per-month",
              "1",
            ),
          };
          return JSON.parse(await run(integration.run, settings));
        };
        const email = `${integration.tool}${name.length}`;

        test(
          "finds people, and reads days, names of other servers and the quota",
          async () => {
            seen = await report(server.address, email);
            const { answered } = seen;
            expect(answered).toMatchObject({ status: 200, login: "ada-example" });
            expect(answered.total).toBeGreaterThan(1);
            expect(answered.lastActive).toMatch(/^2026-\d\d-\d\d$/);
            expect(answered.experience).toBeCloseTo(14.6, 4);
            expect(answered.repository).toBe("ada-example/lantern-kit");
            expect(answered.quota).toMatchObject({ used: 1, limit: 1000 });
            expect(answered.quota?.month).toMatch(/^\d{4}-\d\d$/);
            if (integration.hidesHeaders) return;
            expect(answered.rateLimit).toMatch(/^"month";r=999;t=\d+, "day";r=1999;t=\d+$/);
          },
          2 * minutes,
        );

        test("reads the additions, and the lines of an export", () => {
          const { exported, ...added } = seen.added;
          expect(added).toEqual({
            ...{ veteran: added.veteran as string, change: "new", hasNext: true },
            ...{ logins: ["ada-example"], missing: ["nobody-here"], calls: 1 },
            // The search, the profile that nobody has, and what came after them; usage costs nothing.
            ...{ plan: "pro", used: 5 },
          });
          expect(added.veteran).toMatch(/\w/);
          expect(JSON.parse(exported as string)).toHaveProperty("username");
        });

        test(
          "still reads answers to which a later version added fields",
          async () => {
            const later = serveLater(server.address);
            try {
              const again = await report(later.url.origin, `${email}-later`);
              expect(withoutClock(again)).toEqual(withoutClock(seen));
            } finally {
              await later.stop(true);
            }
          },
          2 * minutes,
        );

        test("is told by code and type what was refused, what it cost, and when to come back", () => {
          expect(seen.refused).toEqual({ status: 400, code: "invalid_request" });
          expect(seen.unknown).toEqual({ status: 401, code: "unauthorized" });
          expect(seen.missing).toEqual({ status: 404, code: "not_found", used: 2 });
          const { retryAfter, ...over } = seen.over;
          const quota = { used: 1, limit: 1 };
          expect(over).toMatchObject({ status: 429, code: "quota_exceeded", quota });
          if (!integration.hidesHeaders) expect(retryAfter).toBeGreaterThan(0);
        });
      });
    }

    describe.skipIf(!installed.has("peer"))("the published client of another server", () => {
      let client: Client;

      beforeAll(async () => {
        const peer = join(tools, "peer/node_modules/githunt-mcp/index.js");
        client = new Client({ name: "integrator", version: "1.0.0" });
        const env = { PATH: process.env["PATH"] ?? "", GITHUNT_API_URL: server.address };
        const transport = new StdioClientTransport({
          ...{ command: "bun", args: [peer], env: { ...env, GITHUNT_API_KEY: key } },
        });
        await client.connect(transport as never);
      }, minutes);
      afterAll(() => client.close());

      const call = async (name: string, input: Record<string, unknown>) => {
        const { content } = await client.callTool({ name, arguments: input });
        return (content as readonly { readonly text: string }[])[0]?.text ?? "";
      };

      test(
        "shows a table of people without an empty column, ranked across pages",
        async () => {
          const page = { location: "Germany", maxResults: 50 };
          const text = await call("search_developers", { ...page, offset: 50 });
          const [head = [], , ...rows] = text
            .split("\n")
            .filter((line) => line.startsWith("|"))
            .map((line) =>
              line
                .split(/(?<!\\)\|/)
                .slice(1, -1)
                .map((cell) => cell.trim()),
            );
          expect(head).toHaveLength(11);
          const empty = head.filter((_, at) => rows.every((cells) => cells[at] === ""));
          expect(empty).toEqual([]);
          const years = rows.map((cells) => cells[head.indexOf("Exp")]);
          expect(years.filter((cell) => !/^[\d.]+y$/.test(cell ?? ""))).toEqual([]);
          expect(rows.map(([rank]) => rank)).toEqual(rows.map((_, at) => `${51 + at}`));
        },
        minutes,
      );

      test("shows a profile with the years, the handle and the quota", async () => {
        const text = await call("get_developer", { login: "ada-example" });
        expect(text).toContain("14.6y on GitHub");
        expect(text).toContain("| @ada_example");
        expect(text).toMatch(/Quota: \d+\/unlimited/);
        expect(text).not.toMatch(/undefined|NaN/);
      });

      test("shows an analysis, and whom nobody knows as not found", async () => {
        expect(await call("analyze_profile", { username: "ada-example" })).toMatch(
          /^Proficiency: \w+/,
        );
        expect(await call("get_developer", { login: "nobody-here" })).toStartWith("not_found: ");
      });
    });
  },
);

/** The server as a later version may be: every object of an answer has fields that no client knows. */
function serveLater(address: string) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === "GET" ? null : await request.bytes();
      const answer = await fetch(address + pathname + search, { method, headers, body });
      const shown = new Headers(answer.headers);
      for (const name of ["content-encoding", "content-length"]) shown.delete(name);
      const { status } = answer;
      // An export has lines.
      if (pathname === "/v1/export") return new Response(await answer.text(), { headers: shown });
      return new Response(JSON.stringify(addFields(await answer.json())), {
        status,
        headers: shown,
      });
    },
  });
}

function addFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addFields);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, addFields(each)] as const);
  return { ...Object.fromEntries(fields), addedLater: ["x"], added_object: { deep: { er: 1 } } };
}

/** Without what depends on the second of the call, and what a client hands on though it does not know it. */
function withoutClock(report: Report): unknown {
  const timeless = (key: string, value: unknown) => {
    if (key === "addedLater" || key === "added_object") return undefined;
    if (key === "rateLimit") return `${value}`.replace(/t=\d+/g, "t");
    return key === "retryAfter" ? Number(value) > 0 : value;
  };
  return JSON.parse(JSON.stringify(report, timeless));
}

/** Runs in the environment of this process, since compilers cache in its home folder. */
async function runIn(
  cwd: string,
  command: readonly string[],
  own: Readonly<Record<string, string>>,
): Promise<Said> {
  const env = {
    ...process.env,
    PATH: `${python}:${process.env["PATH"]}`,
    // A generator runs for seconds: optimizing compilation takes longer than it saves.
    JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    CARGO_TARGET_DIR: join(tools, "rust-target"),
    ...own,
  };
  const child = Bun.spawn([...command], {
    cwd,
    env,
    stdout: "pipe",
    stderr: "pipe",
    timeout: 4 * minutes,
  });
  const { code: exitCode, out: stdout, err: stderr } = await readOutput(child);
  // Compilers complain on standard output.
  return { exitCode, stdout, stderr: exitCode === 0 ? stderr : stdout + stderr };
}
