/** People who come into the pool while it is served. */
import type { TestAppliance } from "../../appliance.ts";

interface Movement {
  /** Logins of people of whom nothing else is known but that they are in Berlin. */
  readonly come: readonly string[];
  readonly leave?: readonly string[];
}

export async function importNewcomers(
  { modules, judge, clock }: Pick<TestAppliance, "modules" | "judge" | "clock">,
  { come, leave = [] }: Movement,
): Promise<void> {
  const assess = judge(clock.now().toISOString().slice(0, 10));
  const load = await modules.pool.beginImport("newcomers");
  await load.put(
    come.map((login) =>
      assess({
        ...{ login, source: "newcomers", profile: { location: "Berlin, Germany" } },
        ...{ emails: [], repositories: [], evidence: [] },
      }),
    ),
  );
  await load.remove(leave);
  await load.commit();
  await modules.search.refresh();
}
