/** Webhooks: signed messages about events, which are tried until their targets take them, or are dead. */
export { type SenderParts, startSender } from "./sender.ts";
export {
  createWebhooks,
  describeUndelivered,
  type WebhookEvent,
  type WebhookStatus,
  type Webhooks,
  webhookEvents,
} from "./targets.ts";
