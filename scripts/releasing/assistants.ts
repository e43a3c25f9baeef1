/**
 * Packs the small local MCP server (packaging/mcp) for assistants: as a package of npm, as a desktop extension (.mcpb), and its entry for
 * an MCP registry (server.json). SOURCE_DATE_EPOCH is the time of all files. ROSTER_NAMESPACE is the domain of the publisher in the
 * registry, reversed.
 *
 *   bun scripts/releasing/assistants.ts FOLDER
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { license, version } from "../../package.json";
import { packZip } from "./zip.ts";

const root = join(import.meta.dir, "../..");
const [folder = "."] = process.argv.slice(2);
const date = new Date(Number(process.env["SOURCE_DATE_EPOCH"] ?? 315_532_800) * 1000);
const name = "roster-mcp";
const program = `${name}.mjs`;
const registryName = `${process.env["ROSTER_NAMESPACE"] ?? "com.example"}/${name}`;
const description =
  "Finds and explains developers by their work in git, from a Roster that you name.";
const node = ">=20.3";
const variables = [
  {
    name: "ROSTER_URL",
    title: "Address",
    description: "The address of your Roster.",
    default: "http://127.0.0.1:7171",
    isSecret: false,
  },
  {
    name: "ROSTER_API_KEY",
    title: "API key",
    description: "Your API key of that Roster. It begins with rst_.",
    isSecret: true,
  },
];

/** The package.json of npm. */
const npm = {
  ...{ name, version, description, license, mcpName: registryName },
  ...{ type: "module", bin: { [name]: program }, files: [program], engines: { node } },
};

/** The manifest.json of a desktop extension. */
const manifest = {
  manifest_version: "0.3",
  ...{ name, display_name: "Roster", version, description, license },
  author: { name: "The Roster founders" },
  server: {
    type: "node",
    entry_point: program,
    mcp_config: {
      command: "node",
      args: [`\${__dirname}/${program}`],
      env: Object.fromEntries(variables.map((each) => [each.name, `\${user_config.${each.name}}`])),
    },
  },
  // The tools are those of the Roster.
  tools_generated: true,
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node } },
  user_config: Object.fromEntries(
    variables.map(({ name: variable, isSecret, ...shown }) => [
      variable,
      { type: "string", ...shown, required: true, sensitive: isSecret },
    ]),
  ),
};

/** The entry for a registry. The package is looked for in npm. */
const server = {
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  ...{ name: registryName, title: "Roster", description, version },
  packages: [
    {
      ...{ registryType: "npm", identifier: name, version, transport: { type: "stdio" } },
      environmentVariables: variables.map(({ title: _, ...described }) => ({
        ...described,
        isRequired: described.isSecret,
      })),
    },
  ],
};

const write = (value: object) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
const files = {
  LICENSE: readFileSync(join(root, "LICENSE")),
  "README.md": readFileSync(join(root, "packaging/mcp/README.md")),
  [program]: await bundle(),
};
const entries = Object.entries({ "package.json": write(npm), ...files }).map(([path, body]) => ({
  header: {
    ...{ name: `package/${path}`, size: body.length, mtime: date },
    mode: path === program ? 0o755 : 0o644,
  },
  body,
}));
const extension = packZip({ "manifest.json": write(manifest), ...files }, date);
await Bun.write(join(folder, `${name}-${version}.tgz`), gzipSync(await packTar(entries)));
await Bun.write(join(folder, `${name}-${version}.mcpb`), extension);
await Bun.write(join(folder, `${name}-${version}.server.json`), write(server));

async function bundle(): Promise<Buffer> {
  const { outputs } = await Bun.build({
    entrypoints: [join(root, "packaging/mcp/roster-mcp.ts")],
    target: "node",
    minify: true,
    define: { VERSION: JSON.stringify(version) },
  });
  const [output] = outputs;
  return Buffer.from((await output?.text()) ?? "");
}
