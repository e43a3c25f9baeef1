import { Problem } from "../../../contract/problem.ts";
import { Type } from "../../../contract/schema.ts";
import { type WebhookStatus, webhookEvents } from "../../../delivery/delivery.ts";
import { PasswordIfAsked, passwordIfAsked, runConfirmed } from "../confirm-password.tsx";
import { defineChoice, defineOptionalText, defineText } from "../form.ts";
import { formatCount, formatTimeDistance } from "../look/format.ts";
import { Field, Form, GuardedForm } from "../look/forms.tsx";
import { Ago, Badge, Message, Panel, Rows } from "../look/parts.tsx";
import {
  type ActionOutcome,
  defineAction,
  defineAdministratorPage,
  defineButton,
  type SignedInRequest,
  toSentence,
} from "../page.ts";
import { createPolling } from "./run-parts.tsx";

const path = "/admin/webhooks";
const shownMax = 50;
const events = Object.entries(webhookEvents);
const ticked = Type.Optional(defineChoice("Event", ["yes"]));

/** Lists the webhooks, and adds one. */
export const webhooksPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const list = await ask.modules.webhooks.list();
    const known = list.length > 0 && (
      <Panel title="Your webhooks" id="webhooks">
        <ul class="rows">{list.map((webhook) => renderWebhook(ask, webhook, true))}</ul>
      </Panel>
    );
    const body = (
      <>
        <p class="muted">
          Roster calls these addresses when something happens, and signs each call.
        </p>
        {known ? (
          <div class="with-side">
            {known}
            <div class="side">{renderAdding(ask)}</div>
          </div>
        ) : (
          renderAdding(ask)
        )}
      </>
    );
    return { title: "Webhooks", body };
  },
  actions: {
    add: defineAction(
      {
        address: defineText("Address", 2000),
        ...Object.fromEntries(events.map(([type]) => [type, ticked])),
        ...passwordIfAsked,
      },
      (ask, given) => {
        const { address, password } = given as Record<string, string>;
        const wanted = Object.keys(given).filter((name) => name in webhookEvents);
        return runConfirmed(ask, password, () => addWebhook(ask, address ?? "", wanted));
      },
    ),
  },
});

async function addWebhook(ask: SignedInRequest, url: string, wanted: readonly string[]) {
  if (wanted.length === 0) return { refusal: "Choose at least one event." };
  const given = { url, events: wanted, isLocal: false };
  return tryToChange("address", async () => {
    const { id, secret } = await ask.modules.webhooks.add(given, ask.visitor.account.id);
    const text = "Copy the secret now. It is shown once.";
    return { goTo: `${path}/${id}`, notice: { text, secret: { label: "Secret", text: secret } } };
  });
}

async function tryToChange(field: string | undefined, change: () => Promise<ActionOutcome>) {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { refusal: toSentence(error.message), field };
  }
}

function renderAdding(ask: SignedInRequest) {
  const form = { ask, act: "add" };
  const given = ask.refused?.given;
  return (
    <Panel title="Add a webhook" id="adding">
      <Form {...form} submit="Add">
        <Field
          {...{ form, name: "address", label: "Address", inputmode: "url", maxlength: 2000 }}
          placeholder="https://hooks.example.com/roster"
        />
        <fieldset>
          <legend>Events</legend>
          {events.map(([type, label]) => (
            <label class="inline-field">
              <input
                {...{ type: "checkbox", name: type, value: "yes" }}
                checked={given ? given[type] === "yes" : true}
              />
              {label}
            </label>
          ))}
        </fieldset>
        <PasswordIfAsked form={form} />
      </Form>
      <p class="small muted">
        The next page shows the secret that proves the sender. Libraries of Standard Webhooks check
        it.
      </p>
    </Panel>
  );
}

function renderWebhook(ask: SignedInRequest, webhook: WebhookStatus, isListed: boolean) {
  const { id, url, off, waiting, dead } = webhook;
  const host = <strong>{new URL(url).host}</strong>;
  const act = off === undefined ? "test" : "turn-on";
  const form = { ask, act, to: `${path}/${id}`, id: `${act}-${id}` };
  const label = off === undefined ? "Send a test" : "Turn on";
  const told = events.filter(([type]) => webhook.events.includes(type)).map(([, name]) => name);
  return (
    <li id={id}>
      <div class="row-head">
        <div class="free">
          {isListed ? <a href={`${path}/${id}`}>{host}</a> : host}{" "}
          {off && <Badge tone={off === "gone" ? "bad" : "warn"}>off</Badge>}{" "}
          {dead > 0 && <Badge tone="bad">{formatCount(dead)} failed</Badge>}{" "}
          {waiting > 0 && <Badge>{formatCount(waiting)} waiting</Badge>}
          <p class="small muted">{url}</p>
          <p class="small">{told.length === events.length ? "Every event" : told.join(" · ")}</p>
          {off === "gone" && <p class="small wrong">It answered 410, so Roster turned it off.</p>}
        </div>
        <Form {...form} submit={label} tone="plain" inline />
      </div>
    </li>
  );
}

/** One webhook: its latest deliveries, and forms that test it, turn it off and on, and remove it. */
export const webhookPage = defineAdministratorPage({
  path: `${path}/:id`,
  show: async (ask) => {
    const webhook = await getWebhook(ask);
    const { id, url, off } = webhook;
    const body = (
      <div class="with-side">
        <div class="stack-wide" {...createPolling(webhook.waiting > 0, `${path}/${id}`, "state")}>
          <Panel title="State">
            <ul class="rows">{renderWebhook(ask, webhook, false)}</ul>
          </Panel>
          {await renderDeliveries(ask, webhook)}
        </div>
        <div class="side">
          {off === undefined && (
            <Panel title="Turn off">
              <p>Roster then sends nothing until you turn it on.</p>
              <Form ask={ask} act="turn-off" submit="Turn off" tone="plain" />
            </Panel>
          )}
          <Panel title="Remove">
            <GuardedForm ask={ask} act="remove" label="Remove this webhook" submit="Remove">
              <PasswordIfAsked form={{ ask, act: "remove" }} />
            </GuardedForm>
          </Panel>
        </div>
      </div>
    );
    const back = { to: path, label: "All webhooks" };
    return { title: new URL(url).host, back, body, moves: true };
  },
  actions: {
    test: changeByButton("A test is on its way.", ({ webhooks, id, by }) => webhooks.test(id, by)),
    "turn-on": changeByButton("Turned on.", ({ webhooks, id, by }) => webhooks.turn(id, "on", by)),
    "turn-off": changeByButton("Turned off.", ({ webhooks, id, by }) =>
      webhooks.turn(id, "off", by),
    ),
    retry: defineAction({ delivery: defineOptionalText("Delivery", 60) }, (ask, { delivery }) =>
      changeWebhook(ask, "It is sent again in a moment.", ({ webhooks, id, by }) =>
        webhooks.retry(id, by, delivery),
      ),
    ),
    remove: defineAction(passwordIfAsked, (ask, { password }) =>
      runConfirmed(ask, password, async () => {
        const { id, url } = await getWebhook(ask);
        await ask.modules.webhooks.remove(id, ask.visitor.account.id);
        return { goTo: path, notice: { text: `Removed the webhook to ${new URL(url).host}.` } };
      }),
    ),
  },
});

interface Change extends Pick<SignedInRequest["modules"], "webhooks"> {
  readonly id: string;
  readonly by: string;
}

function changeByButton(text: string, change: (one: Change) => Promise<unknown>) {
  return defineButton<SignedInRequest>((ask) => changeWebhook(ask, text, change));
}

const changeWebhook = (
  ask: SignedInRequest,
  text: string,
  change: (one: Change) => Promise<unknown>,
) =>
  tryToChange(undefined, async () => {
    const { webhooks } = ask.modules;
    const { id } = await getWebhook(ask);
    await change({ webhooks, id, by: ask.visitor.account.id });
    return { goTo: `${path}/${id}`, notice: { text } };
  });

async function getWebhook({ modules, params }: SignedInRequest): Promise<WebhookStatus> {
  const found = (await modules.webhooks.list()).find(({ id }) => id === params["id"]);
  if (found) return found;
  throw new Problem("not_found", {
    message: "There is no such webhook. It may have been removed.",
  });
}

type ShownDelivery = Awaited<
  ReturnType<SignedInRequest["modules"]["webhooks"]["listDeliveries"]>
>[number];

async function renderDeliveries(ask: SignedInRequest, { id, dead }: WebhookStatus) {
  const deliveries = await ask.modules.webhooks.listDeliveries(id, shownMax);
  const all = dead > 1 && (
    <Form
      {...{ ask, act: "retry", id: "retry-all" }}
      submit="Retry all failed"
      tone="plain"
      inline
    />
  );
  return (
    <Panel title="Deliveries" id="deliveries" actions={all}>
      <Rows empty="Nothing was sent yet. Send a test to see that the address answers.">
        {deliveries.map((delivery) => renderDelivery(ask, delivery))}
      </Rows>
    </Panel>
  );
}

function renderDelivery(ask: SignedInRequest, delivery: ShownDelivery) {
  const { id, event, state, fault, attempts, createdAt, dueAt } = delivery;
  const [tone, word] = states[state];
  const form = { ask, act: "retry", id: `retry-${id}`, hidden: { delivery: id } };
  const isPlanned = state === "waiting" && attempts > 0 && dueAt > ask.now;
  return (
    <li>
      <div class="row-head">
        <div class="free">
          {labels[event] ?? event} <Badge tone={tone}>{word}</Badge>
          <p class="small muted">
            <Ago at={createdAt} now={ask.now} />
            {isPlanned && ` · next attempt ${formatTimeDistance(dueAt, ask.now)}`}
          </p>
          {fault && (
            <p class="small">
              <Message text={toSentence(fault)} />
            </p>
          )}
        </div>
        {state === "dead" && <Form {...form} submit="Retry" tone="plain" inline />}
      </div>
    </li>
  );
}

const labels: Readonly<Record<string, string>> = { ...webhookEvents, "webhook.test": "Test" };

const states = {
  delivered: ["good", "delivered"],
  waiting: ["", "waiting"],
  dead: ["bad", "failed"],
} as const;
