import type { DataFolder } from "../../../../appliance/appliance.ts";
import { operations } from "../../../../operations/index.ts";
import { perform } from "../../../../operations/perform.ts";

/** The calls that were tried on a folder, and their failures. */
interface Trial {
  readonly done: readonly string[];
  readonly faults: readonly string[];
}

const samplesMax = 20;

/**
 * Tries the main calls on an open folder: a search, the profiles that it finds, and each key.
 *
 * @param digests SHA-256 of each key that must.
 */
export async function tryFolder(
  { modules, control }: DataFolder,
  digests: readonly Uint8Array[],
): Promise<Trial> {
  const faults: string[] = [];
  const ask = async (name: string, input: Readonly<Record<string, unknown>>) => {
    const operation = operations.find((each) => each.name === name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    const caller = { ...modules.accounts.operator, requestId: "req_trial" };
    const answer = await perform(operation, input, caller, modules, ({ value }) => value);
    if (answer.ok) return answer.shown;
    faults.push(`${operation.command} failed: ${answer.problem.message}`);
    return undefined;
  };
  const found = (await ask("search_developers", {
    location: "Worldwide",
    maxResults: samplesMax,
  })) as { totalCount: number; results: readonly { login: string }[] } | undefined;
  const results = found?.results ?? [];
  for (const { login } of results) await ask("get_developer", { login });
  const holders = await control.findKeys(digests);
  const dead = holders.filter((holder) => holder === undefined).length;
  if (dead > 0) faults.push(`${dead} of ${digests.length} active keys open nothing`);
  const done = [
    `a search finds ${found?.totalCount ?? 0}, of which ${results.length} were read`,
    `${digests.length - dead} keys open it`,
  ];
  return { done, faults };
}
