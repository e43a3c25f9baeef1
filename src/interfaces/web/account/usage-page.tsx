import { formatLimits } from "../admin/accounts-page.tsx";
import { Callout, Instant, Panel } from "../look/parts.tsx";
import { defineSignedInPage } from "../page.ts";
import { renderCalls } from "./call-history.tsx";

export const usagePage = defineSignedInPage({
  path: "/account",
  show: async (ask) => {
    const { account } = ask.visitor;
    const { trialEndsAt } = await ask.modules.quota.usage({ accountId: account.id });
    const body = (
      <>
        {trialEndsAt && renderTrial(trialEndsAt, ask.now)}
        <div class="with-side">
          <div class="stack-wide">{await renderCalls(ask, account.id)}</div>
          <Panel title="Plan">
            <p>
              <strong>{account.plan}</strong>: {formatLimits(account.limits)}.
            </p>
            <p class="small muted">
              Each search and each profile you open uses one call. So does each call of a program or
              an assistant. An administrator can change the plan.
            </p>
          </Panel>
        </div>
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
        <Instant at={endsAt} now={now} />. An administrator can give you another plan.
      </p>
    </Callout>
  );
}
