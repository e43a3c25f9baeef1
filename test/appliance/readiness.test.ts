/** What is told of the latest backup while the store cannot be written, or does not answer: unknown is not never. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataFolder } from "../../src/appliance/appliance.ts";
import { createReadiness } from "../../src/appliance/readiness.ts";
import type { ControlStore } from "../../src/control/control-store.ts";
import { silentAround, testConfig } from "../appliance.ts";

const scratch = mkdtempSync(join(tmpdir(), "roster-readiness-"));
const now = () => new Date("2026-11-27T12:00:00Z");
const around = silentAround(now);
const { control, modules, close } = await openDataFolder(
  testConfig({ data: join(scratch, "data") }),
  around,
  { create: true, search: false },
);
const at = new Date("2026-11-27T11:00:00Z");
const known = { at: at.toISOString(), ageSeconds: 3600 };
afterAll(async () => {
  await close();
  rmSync(scratch, { recursive: true, force: true });
});

const open = (change: Partial<ControlStore> = {}) =>
  createReadiness({
    folder: undefined,
    files: [],
    control: { ...control, ...change },
    modules,
    folderFaults: { list: () => [] },
    backups: { warning: () => undefined, copies: () => [] },
    dependencies: around,
  });

test("null when there never was one, and what is known of the latest", async () => {
  expect(await open().healthNotes()).toEqual({ backup: null });
  await control.folder.noteBackup({
    ...{ at, actor: "operator", action: "backup.made", subject: "", detail: {} },
  });
  expect(await open().healthNotes()).toEqual({ backup: known });
});

test("a store that takes no writes, as on a full disk, is read all the same", async () => {
  const full = open({ probe: () => Promise.reject(new Error("database or disk is full")) });
  expect(await full.faults()).toContain("the store cannot be written");
  expect(await full.healthNotes()).toEqual({ backup: known });
});

test("of a store that cannot be read or does not answer, nothing is told", async () => {
  const away = open({
    folder: { ...control.folder, lastBackup: () => Promise.reject(new Error("away")) },
  });
  expect(await away.healthNotes()).toEqual({});
  expect(await open({ probe: () => Promise.race([]) }).healthNotes()).toEqual({});
});
