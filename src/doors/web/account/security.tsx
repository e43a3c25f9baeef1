import { Type } from "../../../contract/schema.ts";
import { Field, Form, KnownName, NewPassword, Problems } from "../look/form-parts.tsx";
import { Ago, Badge, Card, Facts, Said } from "../look/parts.tsx";
import { deviceInWords } from "../look/words.ts";
import { act, asRefusal, type SignedIn, visitorsPage } from "../page.ts";
import { text } from "../request/form.ts";
import { AccountHead } from "./account-tabs.tsx";

type Session = Awaited<ReturnType<SignedIn["rooms"]["signIn"]["sessions"]>>[number];

const path = "/account/security";

/** The password, and where this account is signed in. */
export const securityPage = visitorsPage({
  path,
  show: async (ask) => {
    const sessions = await ask.rooms.signIn.sessions(ask.visitor);
    const body = (
      <>
        <h1>Security</h1>
        <AccountHead ask={ask} />
        <Problems ask={ask} />
        <Said ask={ask} />
        <Card title="Password">
          {ask.visitor.hasPassword ? (
            <Password ask={ask} />
          ) : (
            <p>You sign in with your organisation's account, which keeps the password.</p>
          )}
        </Card>
        <Card title="Where you are signed in">
          <ul class="rows">
            {sessions.map((session) => (
              <Row ask={ask} session={session} />
            ))}
          </ul>
          {sessions.length > 1 && (
            <Form ask={ask} act="end-others" submit="End all others" tone="danger" />
          )}
        </Card>
      </>
    );
    return { title: "Security", body };
  },
  acts: {
    password: act(
      Type.Object({ current: text("Current password", 1000), next: text("New password", 1000) }),
      async ({ rooms, visitor, from }: SignedIn, given) => {
        const outcome = await rooms.signIn.changePassword(visitor, given, from);
        if (!outcome.ok) return asRefusal(outcome);
        const notice = { text: "The new password holds." };
        return { goTo: path, cookies: outcome.cookies, notice };
      },
    ),
    end: act(
      Type.Object({ session: text("Session", 200) }),
      async ({ rooms, visitor }: SignedIn, { session }) => {
        await rooms.signIn.endSession(visitor, session);
        return { goTo: path, notice: { text: "That session is ended." } };
      },
    ),
    "end-others": act(Type.Object({}), async ({ rooms, visitor }: SignedIn) => {
      await rooms.signIn.endOtherSessions(visitor);
      return { goTo: path, notice: { text: "Every other session is ended." } };
    }),
  },
});

function Password({ ask }: { readonly ask: SignedIn }) {
  const form = { ask, act: "password" };
  return (
    <Form {...form} submit="Change the password">
      <KnownName email={ask.visitor.account.email} />
      <Field
        form={form}
        name="current"
        label="Current password"
        type="password"
        autocomplete="current-password"
      />
      <NewPassword form={form} name="next" label="New password" />
    </Form>
  );
}

function Row({ ask, session }: { readonly ask: SignedIn; readonly session: Session }) {
  const { id, isThis, userAgent, address, createdAt, lastSeenAt } = session;
  const { now } = ask;
  return (
    <li>
      <div class="row-head">
        <h3>
          {deviceInWords(userAgent)} {isThis && <Badge tone="good">this browser</Badge>}
        </h3>
        {!isThis && (
          <Form ask={ask} act="end" submit="End" tone="plain" inline>
            <input type="hidden" name="session" value={id} />
          </Form>
        )}
      </div>
      <Facts
        facts={[
          address === undefined ? undefined : ["Address", address],
          ["Signed in", <Ago at={createdAt} now={now} />],
          ["Last seen", <Ago at={lastSeenAt} now={now} />],
        ]}
      />
    </li>
  );
}
