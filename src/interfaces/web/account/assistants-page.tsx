import { getResourceUrl } from "../../../accounts/accounts.ts";
import { defineText } from "../form.ts";
import { formatScope } from "../look/format.ts";
import { GuardedForm } from "../look/forms.tsx";
import { Ago, Copyable, FactList, Panel, Rows } from "../look/parts.tsx";
import {
  defineAction,
  defineSignedInPage,
  requireOwn,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";

type Assistant = Awaited<ReturnType<SignedInRequest["modules"]["signIn"]["assistants"]>>[number];

export const assistantsPage = defineSignedInPage({
  path: "/account/assistants",
  show: async (ask) => {
    const { modules, visitor } = ask;
    const assistants = await modules.signIn.assistants(visitor.account.id);
    const body = (
      <div class="columns">
        <Panel title="Connected">
          <Rows empty="No assistant is connected yet. Connect one with the address of the MCP server.">
            {assistants.map((assistant) => (
              <Row ask={ask} assistant={assistant} />
            ))}
          </Rows>
        </Panel>
        <Panel title="Connect an assistant">
          <p>
            In the assistant, add a remote MCP server with this address. Some call it a custom
            connector. Your browser then opens Roster, where you allow the access.
          </p>
          <Copyable id="mcp" label="MCP server" text={getResourceUrl(modules.publicUrl())} />
          <p class="small muted">
            An assistant without a browser can send your <a href="/account/api">API key</a>, or run{" "}
            <code>roster mcp</code> on its own machine.
          </p>
        </Panel>
      </div>
    );
    return { title: "Assistants", body };
  },
  actions: {
    disconnect: defineAction(
      { assistant: defineText("Assistant", 200) },
      async ({ modules, visitor }, { assistant }) => {
        requireOwn(await modules.signIn.disconnect(visitor.account.id, assistant), "assistant");
        const notice = { text: "Disconnected. The assistant has no access any more." };
        return { goTo: "/account/assistants", notice };
      },
    ),
  },
});

function Row({ ask, assistant }: SignedInProperties & { readonly assistant: Assistant }) {
  const { id, name, destinations, scopes, connectedAt, lastUsedAt } = assistant;
  const { now } = ask;
  return (
    <li>
      <h3>{name}</h3>
      <FactList
        facts={[
          ["May", scopes.map(formatScope).join("; ")],
          ["Answers go to", destinations.join(", ")],
          ["Connected", <Ago at={connectedAt} now={now} />],
          ["Last used", <Ago at={lastUsedAt} now={now} />],
        ]}
      />
      <GuardedForm
        ask={ask}
        act="disconnect"
        label={`Disconnect ${name}`}
        submit="Disconnect"
        hidden={{ assistant: id }}
      >
        <p>The assistant loses its access at once. It can ask for it again.</p>
      </GuardedForm>
    </li>
  );
}
