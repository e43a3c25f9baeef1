/** Charges of many callers at once, for the measurements of the quota. */
import { openAccounts } from "../../src/accounts/accounts.ts";
import type { Caller } from "../../src/contract/caller.ts";
import type { ControlStore } from "../../src/control/control-store.ts";
import { createQuota, type OpenQuota } from "../../src/control/quota.ts";
import { median } from "./rows.ts";

const now = () => new Date();

export function openQuota(control: ControlStore): OpenQuota {
  const terms = { countsInvalid: false, trialDays: undefined, lookupsPerMinute: 120 };
  return createQuota(control, { now, ...terms });
}

/** Adds accounts without a daily limit. @returns a caller of each. */
export async function addCallers(control: ControlStore, count: number): Promise<readonly Caller[]> {
  const accounts = await openAccounts(control, { now });
  const callers: Caller[] = [];
  for (let index = 0; index < count; index += 1) {
    const email = `client-${index}@example.com`;
    const account = { email, plan: "enterprise", callsPerDay: "unlimited" } as const;
    const identity = await accounts.authenticate((await accounts.create(account)).key);
    if (!identity) throw new Error("a fresh key was not accepted");
    callers.push({ ...identity, requestId: `req_${index}` });
  }
  return callers;
}

/** Charges calls from clients that each have one call under way at a time, as a server has them; the nodes take turns. */
export async function chargeCalls(
  nodes: readonly OpenQuota[],
  callers: readonly Caller[],
  { calls, clients }: { readonly calls: number; readonly clients: number },
): Promise<{ readonly rate: number; readonly waitMs: number }> {
  const waits: number[] = [];
  let turn = 0;
  const client = async (node: OpenQuota) => {
    while (turn < calls) {
      turn += 1;
      const startedAt = performance.now();
      await node.charge(callers[turn % callers.length] as Caller);
      waits.push(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: clients }, (_, at) => client(nodes[at % nodes.length] as OpenQuota)),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  return { rate: waits.length / seconds, waitMs: median(waits) };
}
