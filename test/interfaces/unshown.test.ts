/**
 * An answer that an interface cannot put into its own form: internal, told so in the log, and free. No release does that on
 * purpose, so here the operations answer what nothing can show.
 */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "../../src/operations/index.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { openTestAppliance } from "../appliance.ts";
import { openCommandLine, toFlags } from "./cli/command-line.ts";
import { modernCall, openRpc, toolCall } from "./mcp/rpc.ts";
import { invited } from "./web/person.ts";

const root = mkdtempSync(join(tmpdir(), "roster-unshown-"));
const folder = join(root, "data");
const changeable = operations as readonly { -readonly [K in "run"]: Operation["run"] }[];
const runs = operations.map(({ run }) => run);

/** A number of this kind is no JSON, and nothing that a view looks for is there. */
const unshowable = async () => ({ people: 1n }) as never;

const appliance = await openTestAppliance({ folder });
const commandLine = openCommandLine(appliance.clock.now);
const person = await invited(appliance, "pages@example.com");
for (const operation of changeable) operation.run = unshowable;
afterAll(async () => {
  for (const [at, operation] of changeable.entries()) operation.run = runs[at] as Operation["run"];
  await appliance.close();
  commandLine.close();
  rmSync(root, { recursive: true });
});

async function usedBy(email: string): Promise<number> {
  const { accounts, quota } = appliance.modules;
  const account = await accounts.find(email);
  if (!account) throw new Error(`nobody is ${email}`);
  const { month } = await quota.usage({ accountId: account.id });
  return month.used;
}

const eras = { "2025": toolCall, "2026": modernCall } as const;

for (const operation of operations) {
  const { name, method, path, example, isForPrograms } = operation;

  test(`${name} over REST is a 500, and costs nothing`, async () => {
    const { email, key } = await appliance.newAccount("pro");
    const [first] = Object.values(example);
    const filled = path.replace(/:\w+/, String(first));
    const fields = new URLSearchParams(example as Record<string, string>);
    const query = method === "GET" && filled === path ? `?${fields}` : "";
    const response = await appliance.handle(
      new Request(`http://localhost${filled}${query}`, {
        method,
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: method === "POST" ? JSON.stringify(example) : null,
      }),
    );
    expect([response.status, await usedBy(email)]).toEqual([500, 0]);
    expect(await response.text()).not.toContain("BigInt");
  });

  for (const detail of isForPrograms ? [] : ["full", "slim"]) {
    for (const [era, toCall] of Object.entries(eras)) {
      test(`${name} as a ${detail} tool of ${era} is refused, logged as 500, and costs nothing`, async () => {
        const { email, key } = await appliance.newAccount("pro");
        const rpc = openRpc(appliance.handle, key, "http://localhost", `/mcp?detail=${detail}`);
        const call = toCall(name, example) as { body?: unknown; headers?: Record<string, string> };
        const { body } = await rpc.post(call.body ?? call, call.headers);
        expect(body.result).toMatchObject({
          isError: true,
          content: [{ text: "internal: Unexpected server error." }],
        });
        const lines = appliance.log().split("\n").slice(0, -1);
        const [line] = lines.filter((each) => each.includes('"msg":"tool call"')).slice(-1);
        expect(JSON.parse(line ?? "{}")).toMatchObject({ operation: name, status: 500 });
        expect(await usedBy(email)).toBe(0);
      });
    }
  }
}

test.each(
  (
    "/?location=Berlin /search/people.csv?location=Berlin /search/people.json?location=Berlin " +
    "/developers/ada-example /developers/ada-example/analysis.json " +
    "/compare?login=ada-example&login=ben-sample /find?text=ada /who?repository=demo-guild/onyx-vault"
  ).split(" "),
)("the page %s costs nothing", async (path) => {
  const { status } = await person.open(path);
  // A comparison says of each person why it is not shown.
  expect(status).toBe(path.startsWith("/compare") ? 200 : 500);
  expect(await usedBy("pages@example.com")).toBe(0);
});

test("a command prints nothing of it, and ends with a fault", async () => {
  for (const { command, example } of operations) {
    const ran = await commandLine.run(command, ...toFlags(example), "--data", folder);
    expect({ command, code: ran.code, out: ran.out }).toEqual({ command, code: 5, out: "" });
  }
  const { accounts, quota } = appliance.modules;
  expect((await quota.usage(accounts.operator)).month.used).toBe(0);
});
