/** Adds, changes and removes webhooks, for the page and the command. The audit log has each change. */
import { createHmac } from "node:crypto";
import { Problem } from "../contract/problem.ts";
import type { AuditAction, NewAuditEntry } from "../control/account-records.ts";
import type { ControlStore } from "../control/control-store.ts";
import { type DeliveryTarget, erasedEvent } from "../control/delivery-records.ts";
import { isLocalHost } from "./send-message.ts";

/** The types of events, and their labels. */
export const webhookEvents = {
  "people.changed": "People changed",
  [erasedEvent]: "Person erased",
  "run.ended": "Run ended",
  "source.failed": "Source failed",
  "backup.failed": "Backup failed",
} as const;

export type WebhookEvent = keyof typeof webhookEvents | "webhook.test";

const targetsMax = 20;
const urlLengthMax = 2000;

export interface WebhookStatus extends Omit<DeliveryTarget, "told"> {
  readonly waiting: number;
  readonly dead: number;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** `by` is always the id of an account, or `operator`. */
export function createWebhooks(
  control: Pick<ControlStore, "deliveries" | "signIn" | "record">,
  now: () => Date,
) {
  const { deliveries } = control;
  const entry = (action: AuditAction, target: Pick<DeliveryTarget, "id" | "url">, by: string) =>
    createTargetEntry(action, target, { at: now(), actor: by });
  const find = async (id: string) => {
    const found = (await deliveries.listTargets()).find((one) => one.id === id);
    if (found) return found;
    throw new Problem("not_found", { message: `there is no webhook "${id}"` });
  };
  return {
    async list(): Promise<readonly WebhookStatus[]> {
      const [targets, counts] = await Promise.all([
        deliveries.listTargets(),
        deliveries.countDeliveries(),
      ]);
      return targets.map(({ told: _, ...target }) => {
        const count = (state: string) =>
          counts.find((one) => one.targetId === target.id && one.state === state)?.count ?? 0;
        return { ...target, waiting: count("waiting"), dead: count("dead") };
      });
    },
    /** Lists the latest deliveries, without what they say. */
    listDeliveries: async (id: string, max: number) =>
      (await deliveries.list(max, id)).map(({ body: _, ...one }) => one),
    /** @returns the id and the secret, which is shown only now. @throws Problem `invalid_request`. */
    async add(given: { url: string; events: readonly string[]; isLocal: boolean }, by: string) {
      const url = checkUrl(given.url, given.isLocal);
      const events = checkEvents(given.events);
      if ((await deliveries.listTargets()).length >= targetsMax)
        throw refuse(`there are at most ${targetsMax} webhooks: remove one first`);
      const id = `wh_${crypto.randomUUID().replaceAll("-", "").slice(0, 20)}`;
      const target = { id, url, events, isLocal: given.isLocal, createdAt: now() };
      await deliveries.addTarget(target, entry("webhook.added", target, by));
      return { id, secret: deriveSecret(await control.signIn.secret(), id) };
    },
    remove: async (id: string, by: string) =>
      deliveries.removeTarget(id, entry("webhook.removed", await find(id), by)),
    async turn(id: string, to: "on" | "off", by: string) {
      const target = await find(id);
      const off = to === "off" ? "chosen" : undefined;
      await deliveries.turn(id, off, entry(`webhook.${to}`, target, by));
    },
    /** Sends an event that says nothing, so that an operator sees what comes of it. */
    async test(id: string, by: string) {
      const target = await find(id);
      if (target.off !== undefined) throw refuse("this webhook is off: turn it on first");
      await deliveries.addEvents([{ type: "webhook.test", at: now(), data: {} }], id);
      await control.record(entry("webhook.tested", target, by));
    },
    /** Sends dead deliveries again, or one of them. A webhook that is off is turned on. @returns their number. */
    async retry(id: string, by: string, delivery?: string): Promise<number> {
      const target = await find(id);
      if (target.off !== undefined)
        await deliveries.turn(id, undefined, entry("webhook.on", target, by));
      return deliveries.retry(id, now(), entry("webhook.retried", target, by), delivery);
    },
  };
}

/** Says what an administrator should look at. An address may hold a secret, so only its host is named. */
export function describeUndelivered(webhooks: readonly WebhookStatus[]): readonly string[] {
  return webhooks.flatMap(({ url, off, dead }) => {
    const { host } = new URL(url);
    const count = dead === 1 ? "1 delivery" : `${dead} deliveries`;
    return [
      ...(off === "gone" ? [`the webhook to ${host} was turned off, because it answered 410`] : []),
      ...(dead > 0 ? [`${count} to the webhook at ${host} failed for good`] : []),
    ];
  });
}

/** @package An address may hold a secret, so the audit log names its host only. */
export const createTargetEntry = (
  action: AuditAction,
  { id, url }: Pick<DeliveryTarget, "id" | "url">,
  by: { readonly at: Date; readonly actor: string },
): NewAuditEntry => ({ ...by, action, subject: id, detail: { host: new URL(url).host } });

/**
 * Derives the secret, so that no database contains it, and each node knows it.
 * @package
 */
export const deriveSecret = (secret: string, id: string): string =>
  `whsec_${createHmac("sha256", secret).update(`webhook ${id}`).digest("base64")}`;

function checkUrl(text: string, isLocal: boolean): string {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || text.length > urlLengthMax)
    throw refuse("the address must begin with https:// or http://");
  if (url.username || url.password || url.hash)
    throw refuse("the address must have no user, password or fragment");
  if (!isLocal && isLocalHost(url.hostname))
    throw refuse(
      "the address is on this machine or its link: only `roster webhook add --allow-local` adds it",
    );
  return url.href;
}

function checkEvents(given: readonly string[]): readonly string[] {
  const known = Object.keys(webhookEvents);
  const unknown = given.find((one) => !known.includes(one));
  if (unknown !== undefined)
    throw refuse(`there is no event "${unknown}"; the events are ${known.join(", ")}`);
  return given.length === 0 ? known : known.filter((one) => given.includes(one));
}

const refuse = (message: string) => new Problem("invalid_request", { message });
