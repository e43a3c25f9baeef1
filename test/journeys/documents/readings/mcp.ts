import { expect } from "bun:test";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expectDone } from "../../desk.ts";
import { listBlocks, readDocument } from "../blocks.ts";
import type { Machine } from "../machine.ts";
import { makeKey, startServer } from "../possessions.ts";
import type { Reading } from "../reading.ts";

const document = "docs/mcp.md";
const inspector = join(import.meta.dir, "../../../interfaces/mcp/checks/node_modules");

/** Writes a file of settings that the document shows, with the key and the path that it leaves to the reader. */
async function writeSettings(machine: Machine, name: string, at: number): Promise<void> {
  const shown = listBlocks(readDocument(document)).filter(({ language }) => language === "json");
  const key = expectDone(await machine.paste("echo $ROSTER_API_KEY")).trim();
  const path = expectDone(await machine.paste("command -v roster")).trim();
  const text = shown[at]?.text.replace("rst_...", key).replace("/path/to/roster", path) ?? "";
  machine.write(name, text);
}

const inspect = "npx @modelcontextprotocol/inspector@2 --cli --config";

export const mcp: Reading = {
  document,
  lacks: existsSync(inspector) ? undefined : "the Inspector, which scripts/test installs",
  async prepare(machine) {
    await startServer(machine, "roster serve");
    await makeKey(machine);
    mkdirSync(join(machine.home, "node_modules"));
    for (const name of ["@modelcontextprotocol", ".bin"]) {
      symlinkSync(join(inspector, name), join(machine.home, "node_modules", name));
    }
  },
  sayings: [
    {
      words: "`structuredContent` is REST's `data`, field by field",
      after: "npx @modelcontextprotocol/inspector@2",
      see(_, { stdout }) {
        const { structuredContent } = JSON.parse(stdout);
        expect(structuredContent.username).toBe("ada-example");
        expect(structuredContent.meta.quota.used).toBe(1);
      },
    },
    {
      words: "opens `claude_desktop_config.json`; it starts local servers:",
      after: "npx @modelcontextprotocol/inspector@2",
      async see(machine) {
        await writeSettings(machine, "claude_desktop_config.json", 0);
        const list = `${inspect} claude_desktop_config.json --server roster --method tools/list`;
        const { tools } = JSON.parse(expectDone(await machine.paste(list)));
        const names = tools.map(({ name }: { name: string }) => name);
        for (const name of ["search_developers", "who_knows"]) expect(names).toContain(name);
      },
    },
  ],
};
