import { computeScore } from "../../../src/contract/people/developer.ts";
import { type Person, places } from "../synthetic-people.ts";

export interface PersonDocument {
  readonly id: number;
  readonly places: string;
  readonly concepts: string;
  readonly roles: string;
  readonly words: string;
  readonly experienceTenths: number;
  readonly hireable: boolean;
  readonly score: number;
}

/** The fields that a text index needs, with spaces between the values. */
export function documentOf({ rowId, standing }: Person): PersonDocument {
  const ids = new Set(standing.places.flatMap((id) => [id, ...places.ancestors(id)]));
  return {
    id: rowId,
    places: [...ids].join(" "),
    concepts: standing.concepts.map(({ concept }) => concept).join(" "),
    roles: standing.roles
      .filter(({ match }) => match >= 25)
      .map(({ role }) => role)
      .join(" "),
    words: standing.words.join(" "),
    experienceTenths: standing.experienceTenths,
    hireable: standing.hireable,
    score: computeScore(standing.profile, standing.techStack, standing.activity),
  };
}
