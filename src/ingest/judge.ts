import type { AsOf, Assessor } from "../analysis/analysis.ts";
import type { Assessment } from "../contract/people/assessment.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { Places } from "../places/places.ts";

/** What the pool stores of one developer, from what sources say. */
export type Judge = (facts: Facts) => Assessment;

/**
 * A place of which the resolver is less sure than this is not claimed: being found in a city where one
 * does not live is worse than being found in the country only. Ours; the resolver's scale is 0 to 1.
 */
const placeConfidenceMin = 0.5;

/**
 * Joins the two modules that may not know each other: places read the profile's location, analysis is told.
 *
 * @param asOf the one day that everything of this run is judged as of.
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
