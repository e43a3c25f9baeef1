import { Problem } from "../../../contract/problem.ts";
import { Type } from "../../../contract/schema.ts";
import { PasswordIfAsked, passwordIfAsked, runConfirmed } from "../confirm-password.tsx";
import { defineChoice, defineOptionalText } from "../form.ts";
import { Disclosure, Form } from "../look/forms.tsx";
import { Copyable, Panel } from "../look/parts.tsx";
import {
  type ActionOutcome,
  defineAction,
  defineAdministratorPage,
  type SignedInRequest,
} from "../page.ts";
import type { SourceStatus } from "./administration.ts";
import { createPolling } from "./run-parts.tsx";
import { type SourceProperties, SourceRow } from "./source-row.tsx";
import { checkSource, TokenField } from "./sources-page.tsx";

const listPath = "/admin/sources";

/** One source: its state, and forms that change it, turn its push hook on and off, and remove it. */
export const sourcePage = defineAdministratorPage({
  path: `${listPath}/:id`,
  show: async (ask) => {
    const source = await getSource(ask);
    const { id, isFromFile, isKnown } = source;
    const { modules, url } = ask;
    const { canChange } = modules.sources;
    const body = (
      <div class="with-side">
        <div class="stack-wide">
          <Panel title="State" {...createPolling(true, url.pathname, "state")}>
            <ul class="rows">
              <SourceRow ask={ask} source={source} />
            </ul>
          </Panel>
          {canChange && isKnown && <Hook ask={ask} source={source} />}
        </div>
        <div class="side">
          {isFromFile && (
            <p class="muted free">Change it in {modules.administration.settingsFile}.</p>
          )}
          {canChange && isKnown && !isFromFile && <Change ask={ask} source={source} />}
          {canChange && !isFromFile && <Remove ask={ask} source={source} />}
        </div>
      </div>
    );
    return { title: id, back: { to: listPath, label: "All sources" }, body, moves: true };
  },
  actions: {
    check: defineAction({ secret: defineOptionalText("Token", 1000) }, async (ask, { secret }) => {
      const { id, address } = await getSource(ask);
      return checkSource(ask, address, secret, id);
    }),
    hook: defineAction(
      { turn: defineChoice("Push hook", ["on", "off"]), ...passwordIfAsked },
      (ask, { turn, password }) =>
        changeSource(ask, password, async ({ id }, by) => {
          const { sources } = ask.modules;
          const made = turn === "on" ? await sources.turnHookOn(id, by) : undefined;
          if (turn === "off") await sources.turnHookOff(id, by);
          const secret = made && { secret: { label: "Secret", text: made.secret } };
          const text = made
            ? "Copy the secret now. It is shown only once."
            : "Push hook turned off.";
          return { goTo: ask.url.pathname, notice: { text, ...secret } };
        }),
    ),
    "remove-source": defineAction(
      { data: Type.Optional(defineChoice("Data", ["yes"])), ...passwordIfAsked },
      (ask, { data, password }) =>
        changeSource(ask, password, async ({ id, isKnown }, by) => {
          const withData = data === "yes" || !isKnown;
          const isDone = await ask.modules.sources.remove(id, by, { withData });
          if (!isDone)
            return { refusal: "The source cannot be removed now. Try again in a moment." };
          const text = withData ? `${id} and its data are being removed.` : `${id} was removed.`;
          return { goTo: listPath, notice: { text } };
        }),
    ),
  },
});

async function getSource({ modules, params }: SignedInRequest): Promise<SourceStatus> {
  const source = (await modules.sources.list()).find(({ id }) => id === params["id"]);
  if (source) return source;
  throw new Problem("not_found", { message: "There is no such source. It may have been removed." });
}

const changeSource = (
  ask: SignedInRequest,
  password: string | undefined,
  change: (source: SourceStatus, by: string) => Promise<ActionOutcome>,
) => runConfirmed(ask, password, async () => change(await getSource(ask), ask.visitor.account.id));

function Change({ ask, source: { kind, reader } }: SourceProperties) {
  const form = { ask, act: "check" };
  const hint = reader ? "Enter it again for this node." : "Leave empty to keep the current one.";
  return (
    <Panel title="Change" id="change">
      <p>Choose what Roster reads and how often{kind !== "folder" && ", or enter a new token"}.</p>
      <Form {...form} submit="Continue" tone="plain">
        {kind !== "folder" && <TokenField form={form} hint={hint} />}
      </Form>
    </Panel>
  );
}

/** A line for `hooks/post-receive`, which docs/sources.md explains. curl reads the secret from its input. */
const formatHookLine = (url: string, kind: SourceStatus["kind"]) =>
  [
    `printf 'header = "Authorization: Bearer %s"\\n' "$(cat SECRET-FILE)" |`,
    "curl -sS -m 5 -o /dev/null -K -",
    kind === "folder" ? '--data-urlencode "repository=$PWD"' : "-X POST",
    `${url} || true`,
  ].join(" ");

function Hook({ ask, source: { id, kind, hasHook } }: SourceProperties) {
  const url = `${ask.modules.publicUrl()}/hooks/${id}`;
  const form = { ask, act: "hook", hidden: { turn: hasHook ? "off" : "on" } };
  return (
    <Panel title="Push hook" id="hook">
      <p>With a push hook, Roster reads a repository within seconds of a push.</p>
      {hasHook && <Copyable id="hook-address" label="Address" text={url} />}
      {hasHook && kind !== "folder" && (
        <p>
          At the forge, open Settings, then Webhooks. Add this address and the secret for push
          events, as application/json.
        </p>
      )}
      {hasHook && (kind === "folder" || kind === "git") && (
        <Copyable id="hook-line" label="hooks/post-receive" text={formatHookLine(url, kind)} />
      )}
      <Form {...form} submit={hasHook ? "Turn off" : "Turn on"} tone="plain">
        <PasswordIfAsked form={form} />
      </Form>
    </Panel>
  );
}

function Remove({ ask, source: { isKnown } }: SourceProperties) {
  const form = { ask, act: "remove-source" };
  return (
    <Panel title="Remove" id="remove">
      <Disclosure form={form} label="Remove this source">
        <Form {...form} submit="Remove" tone="danger">
          {isKnown && (
            <label class="inline-field">
              <input type="checkbox" name="data" value="yes" />
              Also delete the people and code from this source
            </label>
          )}
          <PasswordIfAsked form={form} />
        </Form>
      </Disclosure>
    </Panel>
  );
}
