import { defineText } from "../form.ts";
import { formatDevice } from "../look/format.ts";
import { CurrentPassword, Form, HiddenUsername, NewPassword } from "../look/forms.tsx";
import { Ago, Badge, FactList, Panel } from "../look/parts.tsx";
import { defineAction, defineButton, defineSignedInPage, requireOwn, toRefusal } from "../page.ts";

const path = "/account/security";
const endButton = { act: "end", submit: "End", tone: "plain", inline: true } as const;

export const securityPage = defineSignedInPage({
  path,
  show: async (ask) => {
    const { modules, visitor, now } = ask;
    const sessions = await modules.signIn.sessions(visitor);
    const form = { ask, act: "password" };
    const body = (
      <div class="columns">
        <Panel title="Password">
          {visitor.hasPassword ? (
            <Form {...form} submit="Change password">
              <HiddenUsername email={visitor.account.email} />
              <CurrentPassword form={form} name="current" label="Current password" />
              <NewPassword form={form} name="next" label="New password" />
            </Form>
          ) : (
            <p>You sign in with the account of your organization. Change the password there.</p>
          )}
        </Panel>
        <Panel title="Sessions">
          <ul class="rows">
            {sessions.map(({ id, isThis, userAgent, address, createdAt, lastSeenAt }) => (
              <li>
                <div class="row-head">
                  <h3>
                    {formatDevice(userAgent)} {isThis && <Badge tone="good">this browser</Badge>}
                  </h3>
                  {!isThis && <Form ask={ask} {...endButton} hidden={{ session: id }} />}
                </div>
                <FactList
                  facts={[
                    address !== undefined && ["Address", address],
                    ["Signed in", <Ago at={createdAt} now={now} />],
                    ["Last seen", <Ago at={lastSeenAt} now={now} />],
                  ]}
                />
              </li>
            ))}
          </ul>
          {sessions.length > 1 && (
            <Form ask={ask} act="end-others" submit="End all other sessions" tone="danger" />
          )}
        </Panel>
      </div>
    );
    return { title: "Security", body };
  },
  actions: {
    password: defineAction(
      { current: defineText("Current password", 1000), next: defineText("New password", 1000) },
      async ({ modules, visitor, from }, given) => {
        const outcome = await modules.signIn.changePassword(visitor, given, from);
        if (!outcome.ok) return toRefusal(outcome);
        const notice = { text: "Your password is changed." };
        return { goTo: path, cookies: outcome.cookies, notice };
      },
    ),
    end: defineAction(
      { session: defineText("Session", 200) },
      async ({ modules, visitor }, { session }) => {
        requireOwn(await modules.signIn.endSession(visitor, session), "session");
        return { goTo: path, notice: { text: "The session is ended." } };
      },
    ),
    "end-others": defineButton(async ({ modules, visitor }) => {
      await modules.signIn.endOtherSessions(visitor);
      return { goTo: path, notice: { text: "All other sessions are ended." } };
    }),
  },
});
