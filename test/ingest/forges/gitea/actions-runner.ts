/**
 * A runner of Gitea Actions: takes tasks from the forge over its protocol, and runs each with the engine of Gitea's own runner, on
 * this machine without containers.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findWorkflowEngine } from "../../../../scripts/forges/gitea-build.ts";
import type { Gitea } from "../../../../scripts/forges/gitea-server.ts";
import { readOutput } from "../../../child-output.ts";

/** What the forge gives out to be run. */
export interface ActionsTask {
  readonly id: string;
  /** The workflow, as the forge has read it. */
  readonly workflow: string;
  readonly event: string;
  readonly payload: { readonly pull_request?: { readonly number: number } };
  readonly repository: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
}

export interface ActionsRunner {
  /** @returns undefined if there is none for a while. */
  takeTask(seconds?: number): Promise<ActionsTask | undefined>;
  /** Runs a task and reports success to the forge. @returns what its steps printed, as the forge would show it. */
  runTask(task: ActionsTask): Promise<{ readonly code: number; readonly log: string }>;
}

interface FetchedTask {
  readonly id: string;
  readonly workflowPayload: string;
  readonly context: {
    readonly event_name: string;
    readonly event: ActionsTask["payload"];
    readonly repository: string;
  };
  readonly secrets?: Readonly<Record<string, string>>;
  readonly vars?: Readonly<Record<string, string>>;
}

export async function registerRunner(gitea: Gitea, folder: string): Promise<ActionsRunner> {
  const registration = "/admin/actions/runners/registration-token";
  const { token } = await gitea.call<{ token: string }>("POST", registration);
  let headers = {};
  const ask = async <T>(method: string, body: object): Promise<T> => {
    const address = `${gitea.url}/api/actions/runner.v1.RunnerService/${method}`;
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method}: ${answer.status} ${await answer.text()}`);
    return answer.json() as Promise<T>;
  };
  const labels = ["ubuntu-latest"];
  const { runner } = await ask<{ runner: { uuid: string; token: string } }>("Register", {
    ...{ name: "test", token, version: "v0.3.0", labels },
  });
  headers = { "x-runner-uuid": runner.uuid, "x-runner-token": runner.token };
  await ask("Declare", { version: "v0.3.0", labels });
  return {
    async takeTask(seconds = 20) {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await Bun.sleep(100)) {
        const { task } = await ask<{ task?: FetchedTask }>("FetchTask", {});
        if (!task) continue;
        const { id, workflowPayload, context, secrets = {}, vars = {} } = task;
        return {
          ...{ id, secrets, vars, event: context.event_name, payload: context.event },
          repository: context.repository,
          workflow: Buffer.from(workflowPayload, "base64").toString(),
        };
      }
      return undefined;
    },
    async runTask(task) {
      const ran = await runWorkflow(gitea.url, task, join(folder, `task-${task.id}`));
      const now = new Date().toISOString();
      const state = { id: task.id, result: "RESULT_SUCCESS", startedAt: now, stoppedAt: now };
      await ask("UpdateTask", { state });
      return ran;
    },
  };
}

async function runWorkflow(url: string, task: ActionsTask, folder: string) {
  mkdirSync(join(folder, "home"), { recursive: true });
  const [workflow, event] = [join(folder, "workflow.yml"), join(folder, "event.json")];
  writeFileSync(workflow, task.workflow);
  writeFileSync(event, JSON.stringify(task.payload));
  const engine = findWorkflowEngine();
  if (!engine) throw new Error("There is no engine: scripts/forge build makes one.");
  const named = Object.entries(task.vars).flatMap(([name, value]) => ["--var", `${name}=${value}`]);
  const child = Bun.spawn(
    [
      ...[engine, task.event, "--workflows", workflow, "--eventpath", event, "--directory", folder],
      ...["--platform", "ubuntu-latest=-self-hosted", "--github-instance", url],
      ...["--no-cache-server", "--action-cache-path", join(folder, "cache")],
      ...["--env", `GITHUB_REPOSITORY=${task.repository}`, "--env", "GITEA_ACTIONS=true"],
      // Its values are in the environment.
      ...Object.keys(task.secrets).flatMap((name) => ["--secret", name]),
      ...named,
    ],
    {
      ...{ stdout: "pipe", stderr: "pipe" },
      env: { ...process.env, ...task.secrets, HOME: join(folder, "home") },
    },
  );
  const { code, out, err } = await readOutput(child);
  rmSync(workflow);
  // Without what only the engine says about its own work.
  const log = out.split("\n").filter((line) => !line.includes("[DEBUG]"));
  return { code, log: [...log, err].join("\n") };
}
