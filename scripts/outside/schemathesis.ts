/** Runs Schemathesis against a fresh server, with the API document that the server publishes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../fuzzing/program.ts";

const [schemathesis = "", ...argv] = process.argv.slice(2);
const casesAt = argv.indexOf("--cases");
const cases = casesAt < 0 ? 5000 : Number(argv.splice(casesAt, 2)[1]);
if (!Number.isInteger(cases) || cases < 1) {
  console.error("--cases must be a whole number of at least 1");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "roster-schemathesis-"));
let exitCode = 1;
try {
  const server = await startServer(folder);
  const plan = ["--plan", "enterprise", "--calls-per-day", "unlimited"];
  const { key } = await server.command("account", "create", "main@example.com", ...plan);
  const description = `${server.address}/v1/openapi.json`;
  const { paths } = (await (await fetch(description)).json()) as { paths: object };
  const operations = Object.values(paths).flatMap((item) => Object.keys(item)).length;
  const each = String(Math.ceil(cases / operations));
  const run = Bun.spawn(
    [
      ...[
        schemathesis,
        "--config-file",
        join(import.meta.dir, "schemathesis.toml"),
        "run",
        description,
      ],
      ...["--header", `Authorization: Bearer ${key}`, "--checks", "all"],
      ...["--max-examples", each, "--continue-on-failure", ...argv],
    ],
    {
      cwd: folder,
      env: {
        ...process.env,
        PYTHONPATH: import.meta.dir,
        SCHEMATHESIS_HOOKS: "schemathesis_hooks",
      },
      stdout: "inherit",
      stderr: "inherit",
    },
  );
  exitCode = await run.exited;
  for (const complaint of await server.complaints()) {
    console.log(complaint);
    exitCode = 1;
  }
  await server.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(exitCode === 0 ? 0 : 1);
