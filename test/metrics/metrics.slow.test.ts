/** What a monitor is told, over the real listener of a real server. */
import { afterAll, describe, expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { databaseNames } from "../../src/data-files/file-names.ts";
import { listLocations, noteReading } from "../../src/ingest/git/ledger/locations.ts";
import { openLedger } from "../../src/ingest/ingest.ts";
import { poolFile } from "../../src/pool/sqlite/sqlite-pool.ts";
import { poolTables } from "../../src/pool/sqlite/tables.ts";
import { openDatabase } from "../../src/sqlite/database.ts";
import { storeHistory } from "../ingest/git/invented-history.ts";
import { openRpc } from "../interfaces/mcp/rpc.ts";
import { openPersonAt } from "../interfaces/web/person.ts";
import { seeSoon } from "../journeys/desk.ts";
import { openMonitored, readSamples } from "./monitored-appliance.ts";

const server = await openMonitored();
afterAll(() => server.close());

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${server.address}${path}`, {
    ...init,
    headers: { "x-api-key": server.key, "content-type": "application/json" },
  });
const search = (body: object) => call("/v1/search", { method: "POST", body: JSON.stringify(body) });

describe("metrics", () => {
  test("count answers by route, method and status, and never what a caller sent", async () => {
    const before = await readSamples(await server.scrape());
    await (await call("/v1/users/somebody-secret")).text();
    await (await call("/nowhere/somebody-secret")).text();
    await (await fetch(`${server.address}/v1/users/nobody`)).text();
    const response = await server.scrape();
    expect(response.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    const text = await response.clone().text();
    expect(text).not.toContain("secret");
    const after = await readSamples(response);
    const grown = [...after].filter(([name, value]) => value !== (before.get(name) ?? 0));
    const counted = Object.fromEntries(
      grown.filter(([name]) => name.startsWith("roster_http_requests_total")),
    );
    const route = 'route="/v1/users/:login",method="GET"';
    expect(counted).toEqual({
      [`roster_http_requests_total{${route},status="404"}`]: 1,
      [`roster_http_requests_total{${route},status="401"}`]: 1,
      'roster_http_requests_total{route="none",method="GET",status="404"}': 1,
    });
    expect(after.get('roster_http_request_duration_seconds_count{route="/v1/users/:login"}')).toBe(
      2,
    );
    const bytes = after.get('roster_http_response_bytes_total{route="/v1/users/:login"}');
    expect(bytes).toBeGreaterThan(100);
  });

  test("count repositories by whether the last run could read them", async () => {
    const count = async () => {
      const samples = await readSamples(await server.scrape());
      return ["read", "left_out", "gone"].map((state) =>
        samples.get(`roster_repositories{state="${state}"}`),
      );
    };
    expect(await count()).toEqual([0, 0, 0]);
    const now = () => new Date();
    const path = join(server.folder, "data", databaseNames.ledger);
    const ledger = openLedger(path, { version: "1.2.3", now });
    for (const name of ["kept", "lost", "torn"])
      storeHistory(ledger, { name, owner: undefined, commits: [] });
    const [, lost, torn] = listLocations(ledger).map(({ id }) => id);
    const because = { reason: "it is away.", remedy: "Mount it." };
    noteReading(
      ledger,
      new Map([
        [lost as number, { state: "gone" as const, ...because }],
        [torn as number, { state: "left_out" as const, ...because }],
      ]),
    );
    expect(await count()).toEqual([1, 1, 1]);
    noteReading(ledger, new Map([[lost as number, undefined]]));
    ledger.close();
    expect(await count()).toEqual([2, 1, 0]);
  });

  test("count charged calls and their commits", async () => {
    const before = await readSamples(await server.scrape());
    await (await search({ location: "Worldwide", skills: ["go"] })).text();
    const after = await readSamples(await server.scrape());
    for (const name of [
      "roster_charged_calls_total",
      "roster_charge_commit_duration_seconds_count",
    ]) {
      expect((after.get(name) ?? 0) - (before.get(name) ?? 0)).toBe(1);
    }
  });

  test("count calls of tools by what came of them, which the status of a request does not tell", async () => {
    const before = await readSamples(await server.scrape());
    const { call: callTool } = openRpc(fetch, server.key, server.address);
    await callTool("search_developers", { location: "Worldwide", maxResults: 1 });
    await callTool("get_developer", { login: "nobody-at-all" });
    await callTool("who_knows", {});
    await callTool("no_such_tool", {});
    const after = await readSamples(await server.scrape());
    const counted = [...after].filter(
      ([name, value]) => /tool_calls/.test(name) && value !== (before.get(name) ?? 0),
    );
    const name = (tool: string, outcome: string) =>
      `roster_mcp_tool_calls_total{tool="${tool}",outcome="${outcome}"}`;
    expect(Object.fromEntries(counted)).toEqual({
      [name("search_developers", "answered")]: 1,
      [name("get_developer", "not_found")]: 1,
      [name("who_knows", "invalid_request")]: 1,
    });
  });

  test("count refused sign-ins", async () => {
    const wrong = { email: "nobody@example.com", password: "a wrong password" };
    const answer = await openPersonAt(server.address).send("/sign-in", "sign-in", wrong);
    expect(answer.text).toContain("wrong");
    const samples = await readSamples(await server.scrape());
    expect(samples.get("roster_failed_sign_ins_total")).toBe(1);
  });

  test("show the state: readiness, people, index, sources, files, disk, version", async () => {
    const samples = await readSamples(await server.scrape());
    expect(samples.get("roster_ready")).toBe(1);
    expect(samples.get("roster_faults")).toBe(0);
    expect(samples.get("roster_pool_people")).toBe(0);
    expect(samples.get("roster_index_people")).toBe(0);
    expect(samples.get("roster_index_revision")).toBe(
      samples.get("roster_pool_revision") as number,
    );
    expect(samples.get('roster_file_bytes{file="control.db"}')).toBeGreaterThan(0);
    expect(samples.get("roster_disk_free_bytes")).toBeGreaterThan(0);
    expect(samples.get('roster_build_info{version="1.2.3"}')).toBe(1);
    // There never was a backup, and 0 would say that there was one just now.
    expect(samples.has("roster_backup_age_seconds")).toBe(false);
    expect(samples.get("roster_backup_never")).toBe(1);
    expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(0);
  });

  test("show the revision that others see, and not ready, once the server's pool is not the folder's", async () => {
    const replaced = await openMonitored();
    try {
      const path = join(replaced.folder, "data/pool.db");
      const other = join(replaced.folder, "other.db");
      const pool = openDatabase(other, poolFile);
      pool.orm.insert(poolTables.poolState).values({ id: 1, revision: 7 }).run();
      pool.close();
      for (const end of ["-wal", "-shm"]) rmSync(path + end);
      renameSync(other, path);
      const read = async () => readSamples(await replaced.scrape());
      const samples = await seeSoon(read, (seen) => seen.get("roster_ready") === 0);
      expect(samples.get("roster_pool_revision")).toBe(7);
      expect(samples.get("roster_index_revision")).toBe(0);
      expect(samples.get("roster_faults")).toBeGreaterThan(0);
    } finally {
      await replaced.close();
    }
  });

  test("stand at an address of their own, with nothing beside them", async () => {
    expect(new URL(server.metrics).port).not.toBe(new URL(server.address).port);
    expect((await fetch(new URL("/v1/quota", server.metrics))).status).toBe(404);
    expect((await fetch(`${server.address}/metrics`)).status).toBe(404);
    const post = await fetch(server.metrics, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

test("a token is asked of monitors where a file has one", async () => {
  const guarded = await openMonitored("zorkmid-of-the-monitor");
  try {
    const statuses = [
      (await guarded.scrape()).status,
      (await guarded.scrape("wrong")).status,
      (await guarded.scrape("zorkmid-of-the-monitor")).status,
    ];
    expect(statuses).toEqual([401, 401, 200]);
    expect(JSON.stringify(guarded.lines())).not.toContain("zorkmid");
  } finally {
    await guarded.close();
  }
});
