/** The Inspector's command line, as people check a server with it before they give it to an assistant. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolOperations } from "../../../src/operations/index.ts";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { program } from "../../faults/server-process.ts";
import { isLong } from "../../long.ts";

const inspector = join(import.meta.dir, "checks/node_modules/.bin/mcp-inspector");
/** What it ends with when the tool's result is an error. */
const toolErrorCode = 5;

describe.skipIf(!existsSync(inspector))("The Inspector", () => {
  let appliance: TestAppliance;
  let address: string;
  let home: string;

  beforeAll(async () => {
    appliance = await openTestAppliance();
    address = appliance.listen();
    home = mkdtempSync(join(tmpdir(), "roster-inspector-"));
  });
  afterAll(async () => {
    await appliance.close();
    rmSync(home, { recursive: true });
  });

  const inspect = async (target: readonly string[], args: readonly string[]) => {
    const child = Bun.spawn([process.execPath, inspector, "--cli", ...target, ...args], {
      env: { HOME: home, PATH: process.env["PATH"] ?? "" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { code: await child.exited, out, err };
  };
  const hosted = (key: string, era: string) => [
    ...[`${address}/mcp`, "--transport", "http", "--protocol-era", era],
    ...["--header", `Authorization: Bearer ${key}`],
  ];
  const local = (key: string, era: string) => [
    ...["-e", `ROSTER_API_KEY=${key}`, "-e", `ROSTER_URL=${address}`],
    ...["--transport", "stdio", "--protocol-era", era, ...program, "mcp"],
  ];

  for (const [where, target] of Object.entries({ hosted, local })) {
    for (const era of ["legacy", "modern"]) {
      test(`${where}, ${era}: lists portable tools, calls one, and tells an error`, async () => {
        const at = target((await appliance.newAccount("pro")).key, era);
        // In the gate once in each place: local.test.ts and clients.test.ts list them in both eras.
        if (isLong || era === "modern") {
          const listed = await inspect(at, ["--method", "tools/list", "--strict"]);
          expect(listed).toMatchObject({ code: 0 });
          const { tools } = JSON.parse(listed.out);
          const names = tools.map(({ name }: { name: string }) => name);
          expect(names).toEqual(toolOperations.map(({ name }) => name));
        }
        const tool = ["--method", "tools/call", "--tool-name", "get_developer", "--tool-arg"];
        const found = await inspect(at, [...tool, "login=ada-example"]);
        expect(found).toMatchObject({ code: 0 });
        expect(JSON.parse(found.out).structuredContent.username).toBe("ada-example");
        if (!isLong && era === "modern") return;
        const unknown = await inspect(at, [...tool, "login=nobody-here"]);
        expect(unknown).toMatchObject({ code: toolErrorCode });
        expect(JSON.parse(unknown.out).content[0].text).toStartWith("not_found: ");
      }, 300_000);
    }
  }
});
