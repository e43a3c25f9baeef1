/** Sends webhooks from a running server. */
import type { Config } from "../config/config.ts";
import { startSender } from "../delivery/delivery.ts";
import { type DataFolder, type Dependencies, inMemory } from "./data-folder.ts";

interface WebhookParts {
  readonly config: Config;
  readonly dependencies: Dependencies;
  /** Undefined for a server that opens no port. It sends nothing. */
  readonly listener: object | undefined;
}

export function openWebhooks(
  { control }: Pick<DataFolder, "control" | "modules">,
  { config, dependencies: { now, log }, listener }: WebhookParts,
) {
  if (!listener || config.data === inMemory || !config.webhooks.send) return undefined;
  return startSender({ control, now, log });
}
