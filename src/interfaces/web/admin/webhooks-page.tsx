import { Problem } from "../../../contract/problem.ts";
import { Type } from "../../../contract/schema.ts";
import type { ListedTarget } from "../../../control/delivery-records.ts";
import { webhookEvents } from "../../../delivery/delivery.ts";
import { defineChoice, defineText } from "../form.ts";
import { formatCount } from "../look/format.ts";
import { CheckBox, Field, Form, GuardedForm } from "../look/forms.tsx";
import { Badge, Message, Panel, Rows } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  defineConfirmed,
  type SignedInRequest,
  toSentence,
} from "../page.ts";
import { createPolling } from "./runs-page.tsx";

const path = "/admin/webhooks";
const events = Object.entries(webhookEvents);
const ticked = Type.Optional(defineChoice("Event", ["yes"]));
const fields = { webhook: defineText("Webhook", 60) };

export const webhooksPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const list = await ask.modules.webhooks.list();
    const body = (
      <div class="with-side">
        <Panel title="Your webhooks" id="webhooks">
          <p class="small muted">Roster calls these when something happens, and signs each call.</p>
          <Rows empty="There is no webhook yet.">{list.map((one) => renderWebhook(ask, one))}</Rows>
        </Panel>
        <div class="side">{renderAdding(ask)}</div>
      </div>
    );
    return { title: "Webhooks", body, moves: true };
  },
  actions: {
    add: defineConfirmed(
      {
        address: defineText("Address", 2000),
        ...Object.fromEntries(events.map(([type]) => [type, ticked])),
      },
      (ask, { address, ...wanted }) => addWebhook(ask, address as string, Object.keys(wanted)),
    ),
    test: defineAction(fields, async (ask, { webhook }) => {
      await ask.modules.webhooks.test(webhook);
      return { goTo: `${path}?tested=${webhook}#${webhook}` };
    }),
    retry: defineAction(fields, async (ask, { webhook }) => {
      await ask.modules.webhooks.retry(webhook);
      return { goTo: path, notice: { text: "What failed is sent again in a moment." } };
    }),
    remove: defineAction(fields, async (ask: SignedInRequest, { webhook }) => {
      const { url } = await ask.modules.webhooks.remove(webhook, ask.visitor.account.id);
      return { goTo: path, notice: { text: `Removed the webhook to ${new URL(url).host}.` } };
    }),
  },
});

async function addWebhook(ask: SignedInRequest, url: string, wanted: readonly string[]) {
  if (wanted.length === 0) return { refusal: "Choose at least one event." };
  const given = { url, events: wanted, isLocal: false };
  try {
    const { secret } = await ask.modules.webhooks.add(given, ask.visitor.account.id);
    const text = "Copy the secret now. It is shown once.";
    return { goTo: path, notice: { text, secret: { label: "Secret", text: secret } } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { refusal: toSentence(error.message), field: "address" };
  }
}

function renderAdding(ask: SignedInRequest) {
  const form = { ask, act: "add" };
  const given = ask.refused?.given;
  return (
    <Panel title="Add a webhook" id="adding">
      <Form {...form} submit="Add" password="unless recent">
        <Field
          {...{ form, name: "address", label: "Address", inputmode: "url", maxlength: 2000 }}
          placeholder="https://hooks.example.com/roster"
        />
        <fieldset>
          <legend>Events</legend>
          {events.map(([type, label]) => (
            <CheckBox name={type} label={label} checked={given ? given[type] === "yes" : true} />
          ))}
        </fieldset>
      </Form>
      <p class="small muted">The next page shows the secret, which proves the sender.</p>
    </Panel>
  );
}

function renderWebhook(ask: SignedInRequest, webhook: ListedTarget) {
  const { id, url, waiting, dead, fault } = webhook;
  const form = { ask, hidden: { webhook: id } };
  const [act, label] = dead > 0 ? ["retry", "Retry"] : ["test", "Send a test"];
  const isTested = ask.url.searchParams.get("tested") === id;
  const polling = createPolling(isTested && waiting > 0, path + ask.url.search, `state-${id}`);
  const told = events.filter(([type]) => webhook.events.includes(type)).map(([, name]) => name);
  return (
    <li id={id}>
      <div class="row-head">
        <div class="free" {...polling}>
          <strong>{new URL(url).host}</strong>{" "}
          {dead > 0 && <Badge tone="bad">{formatCount(dead)} failed</Badge>}{" "}
          {waiting > 0 && <Badge>{formatCount(waiting)} waiting</Badge>}
          <p class="small muted">{url}</p>
          <p class="small">{told.length === events.length ? "Every event" : told.join(" · ")}</p>
          {isTested && dead === 0 && (
            <p class="small" role="status">
              {waiting === 0 && <Badge tone="good">The test arrived</Badge>}
              {waiting > 0 && [
                "The test has not arrived yet. ",
                <a href={path + ask.url.search}>Refresh</a>,
              ]}
            </p>
          )}
          {fault && (
            <p class="small wrong">
              <Message text={toSentence(fault)} />
            </p>
          )}
        </div>
        <Form {...form} act={act} submit={label} tone="plain" inline />
      </div>
      <GuardedForm {...form} act="remove" label="Remove" submit="Remove this webhook" />
    </li>
  );
}
