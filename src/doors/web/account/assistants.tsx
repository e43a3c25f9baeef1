import { resourceOf } from "../../../accounts/accounts.ts";
import { Type } from "../../../contract/schema.ts";
import { Form, Guarded, Problems } from "../look/form-parts.tsx";
import { Ago, Card, Copyable, Facts, Nothing, Said } from "../look/parts.tsx";
import { scopeInWords } from "../look/words.ts";
import { act, type SignedIn, visitorsPage } from "../page.ts";
import { text } from "../request/form.ts";
import { AccountHead } from "./account-tabs.tsx";

type Assistant = Awaited<ReturnType<SignedIn["rooms"]["signIn"]["assistants"]>>[number];

/** The assistants that may use this account, and how another one is connected. */
export const assistantsPage = visitorsPage({
  path: "/account/assistants",
  show: async (ask) => {
    const { rooms, visitor } = ask;
    const assistants = await rooms.signIn.assistants(visitor.account.id);
    const body = (
      <>
        <h1>Assistants</h1>
        <AccountHead ask={ask} />
        <Problems ask={ask} />
        <Said ask={ask} />
        <Card title="Connected">
          {assistants.length === 0 ? (
            <Nothing>None yet. An assistant that you connect and allow stands here.</Nothing>
          ) : (
            <ul class="rows">
              {assistants.map((assistant) => (
                <Row ask={ask} assistant={assistant} />
              ))}
            </ul>
          )}
        </Card>
        <Card title="Connect one">
          <p>
            In the assistant, add a remote MCP server (some call it a custom connector) with this
            address. Your browser then opens here: sign in, and decide.
          </p>
          <Copyable id="mcp" label="MCP server" text={resourceOf(rooms.publicUrl())} />
          <p class="muted">
            An assistant without a browser can send your API key instead, or run{" "}
            <code>roster mcp</code> on its own machine.
          </p>
        </Card>
      </>
    );
    return { title: "Assistants", body };
  },
  acts: {
    disconnect: act(
      Type.Object({ assistant: text("Assistant", 200) }),
      async ({ rooms, visitor }: SignedIn, { assistant }) => {
        await rooms.signIn.disconnect(visitor.account.id, assistant);
        const notice = { text: "Disconnected. What it held is refused from now on." };
        return { goTo: "/account/assistants", notice };
      },
    ),
  },
});

function Row({ ask, assistant }: { readonly ask: SignedIn; readonly assistant: Assistant }) {
  const { id, name, destinations, scopes, connectedAt, lastUsedAt } = assistant;
  const { now } = ask;
  return (
    <li>
      <h3>{name}</h3>
      <Facts
        facts={[
          ["May", scopes.map(scopeInWords).join("; ")],
          ["Answers go to", destinations.join(", ")],
          ["Connected", <Ago at={connectedAt} now={now} />],
          ["Last used", <Ago at={lastUsedAt} now={now} />],
        ]}
      />
      <Guarded ask={ask} act={`disconnect-${id}`} label={`Disconnect ${name}`}>
        <p>It cannot use your account any more, from now on. It may ask again.</p>
        <Form ask={ask} act="disconnect" submit="Disconnect" tone="danger">
          <input type="hidden" name="assistant" value={id} />
        </Form>
      </Guarded>
    </li>
  );
}
