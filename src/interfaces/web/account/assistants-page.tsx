import { getResourceUrl } from "../../../accounts/accounts.ts";
import { defineText } from "../form.ts";
import { formatScope } from "../look/format.ts";
import { GuardedForm } from "../look/forms.tsx";
import { Ago, Copyable, FactList, Panel, Rows } from "../look/parts.tsx";
import { defineAction, defineSignedInPage, requireOwn } from "../page.ts";

export const assistantsPage = defineSignedInPage({
  path: "/account/assistants",
  show: async (ask) => {
    const { modules, visitor, now } = ask;
    const assistants = await modules.signIn.assistants(visitor.account.id);
    const rows = assistants.map(({ id, name, ...assistant }) => {
      const form = { ask, act: "disconnect", submit: "Disconnect", hidden: { assistant: id } };
      return (
        <li>
          <h3>{name}</h3>
          <FactList
            facts={[
              ["May", assistant.scopes.map(formatScope).join("; ")],
              ["Answers go to", assistant.destinations.join(", ")],
              ["Connected", <Ago at={assistant.connectedAt} now={now} />],
              ["Last used", <Ago at={assistant.lastUsedAt} now={now} />],
            ]}
          />
          <GuardedForm {...form} label={`Disconnect ${name}`}>
            <p>The assistant loses its access at once. It can ask for it again.</p>
          </GuardedForm>
        </li>
      );
    });
    const body = (
      <div class="columns">
        <Panel title="Connected">
          <Rows empty="No assistant is connected yet. Connect one with the address of the MCP server.">
            {rows}
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
