/**
 * Webhooks: signed messages about events, which are tried until their targets take them, or are dead. Here they are added and
 * removed, for the page and the command.
 */
import { noticeKinds } from "../contract/operator-notice.ts";
import { Problem } from "../contract/problem.ts";
import type { AuditAction } from "../control/account-records.ts";
import type { ControlStore } from "../control/control-store.ts";
import { type DeliveryTarget, erasedEvent } from "../control/delivery-records.ts";
import { deriveSecret, isLocalHost } from "./send-message.ts";

export { createReceiverTransport, readReceiverSecret, tryReceiver } from "./receivers.ts";
export { createSearchMail, type SearchMail, type SearchMailParts } from "./search-mail.ts";
export { sendMail } from "./send-mail.ts";
export { type SenderParts, startSender, type Transport } from "./sender.ts";

const noticeEvents = Object.entries(noticeKinds).map(
  ([kind, label]) => [`notice.${kind}`, `Notice: ${label.toLowerCase()}`] as const,
);

/** The types of events, and their labels. */
export const webhookEvents: Readonly<Record<string, string>> = {
  "people.changed": "People changed",
  [erasedEvent]: "Person erased",
  "run.ended": "Run ended",
  ...Object.fromEntries(noticeEvents),
};

/** The ids of webhooks. Other targets are not added or removed here. */
const webhookPrefix = "wh_";
const targetsMax = 20;
const urlLengthMax = 2000;

export type Webhooks = ReturnType<typeof createWebhooks>;

/** `by` is always the id of an account, or `operator`. */
export function createWebhooks(
  { deliveries, signIn }: Pick<ControlStore, "deliveries" | "signIn">,
  now: () => Date,
) {
  const createEntry = (action: AuditAction, { id, url }: DeliveryTarget, by: string) => ({
    ...{ at: now(), actor: by, action, subject: id, detail: { host: new URL(url).host } },
  });
  const find = async (id: string) => {
    const found = (await list()).find((one) => one.id === id);
    if (found) return found;
    throw new Problem("not_found", { message: `there is no webhook "${id}"` });
  };
  const list = async () =>
    (await deliveries.listTargets()).filter(({ id }) => id.startsWith(webhookPrefix));
  return {
    list,
    /** @returns the id and the secret, which is shown only now. @throws Problem `invalid_request`. */
    async add(given: Pick<DeliveryTarget, "url" | "events" | "isLocal">, by: string) {
      const url = checkUrl(given.url, given.isLocal);
      if ((await list()).length >= targetsMax)
        throw refuse(`there are at most ${targetsMax} webhooks: remove one first`);
      const id = `${webhookPrefix}${Bun.randomUUIDv7("hex").replaceAll("-", "")}`;
      const target = { ...given, id, url, told: "", notices: "[]", fault: null };
      await deliveries.addTarget(target, createEntry("webhook.added", target, by));
      return { id, secret: deriveSecret(await signIn.secret(), id) };
    },
    /** @returns the webhook that is gone. */
    async remove(id: string, by: string) {
      const target = await find(id);
      await deliveries.removeTarget(id, createEntry("webhook.removed", target, by));
      return target;
    },
    /** Sends an event that says nothing, so that an operator sees what comes of it. */
    test: async (id: string) =>
      deliveries.addEvents([{ type: "webhook.test", at: now(), data: {} }], (await find(id)).id),
    /** Sends dead deliveries again. @returns their number. */
    retry: async (id: string) => deliveries.retry((await find(id)).id, now()),
  };
}

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

const refuse = (message: string) => new Problem("invalid_request", { message });
