import { formatLimit } from "../look/format.ts";
import { Meters } from "../look/meter.tsx";
import { Ago, Callout, FactList, Instant, Panel } from "../look/parts.tsx";
import { defineSignedInPage } from "../page.ts";

export const usagePage = defineSignedInPage({
  path: "/account",
  show: async (ask) => {
    const { account } = ask.visitor;
    const { now } = ask;
    const usage = await ask.modules.quota.usage({ accountId: account.id });
    const { trialEndsAt } = usage;
    const body = (
      <>
        {trialEndsAt && renderTrial(trialEndsAt, now)}
        <Meters usage={usage} now={now} />
        <Panel title="Plan">
          <FactList
            facts={[
              ["Plan", account.plan],
              ["Calls per month", formatLimit(account.limits.callsPerMonth)],
              ["Calls per day", formatLimit(account.limits.callsPerDay)],
              [
                "API key",
                account.keyHint ? (
                  <>
                    <code>{account.keyHint}</code>, last used{" "}
                    <Ago at={account.keyLastUsedAt} now={now} />
                  </>
                ) : (
                  <a href="/account/api">Make your API key</a>
                ),
              ],
            ]}
          />
          <p class="muted">
            A call counts when it was answered, whether a person was found or not; calls of
            assistants count like those of programs. Months and days are UTC. An administrator of
            this Roster can change the plan and its limits.
          </p>
        </Panel>
      </>
    );
    return { title: "Usage", body };
  },
});

function renderTrial(endsAt: Date, now: Date) {
  const isOver = endsAt.getTime() <= now.getTime();
  return (
    <Callout
      tone={isOver ? "wrong" : "warn"}
      title={isOver ? "The trial is over" : "This is a trial"}
    >
      <p>
        {isOver ? "It ended " : "The free plan ends "}
        <Instant at={endsAt} now={now} />. An administrator of this Roster can give you another
        plan.
      </p>
    </Callout>
  );
}
