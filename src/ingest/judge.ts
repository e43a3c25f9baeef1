import type { AsOf, Assessor } from "../analysis/analysis.ts";
import type { Assessment } from "../contract/people/assessment.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { Places } from "../places/places.ts";

/** Turns the facts of one developer into what the pool stores. */
export type Judge = (facts: Facts) => Assessment;

/**
 * Places below this confidence (0 to 1) are dropped: showing up under a wrong city is worse than showing up
 * under the country only.
 */
const placeConfidenceMin = 0.5;

/**
 * Resolves the profile's location and hands the places to the analysis; neither module may import the other.
 *
 * @param asOf the day that this whole run is judged as of.
 */
export function createJudge(modules: {
  readonly assess: Assessor;
  readonly places: Pick<Places, "resolve">;
  readonly asOf: AsOf;
}): Judge {
  const { assess, places, asOf } = modules;
  return (facts) => {
    const { location } = facts.profile;
    const named = location === undefined ? [] : places.resolve(location).places;
    const sure = named.filter(({ confidence }) => confidence >= placeConfidenceMin);
    return assess(
      { facts, places: sure.map(({ place: { id, fullName } }) => ({ id, fullName })) },
      asOf,
    );
  };
}
