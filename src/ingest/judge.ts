import type { AsOf, Assessor, Model, PlaceFacts } from "../analysis/analysis.ts";
import type { Assessment } from "../contract/people/assessment.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { Places } from "../places/places.ts";
import { digestProgram } from "./program-digest.ts";
import { composeFacts } from "./supplements.ts";

/** Turns the facts of one developer into the data that the pool stores. */
export interface Judge {
  (facts: Facts): Assessment;
  /** The model's version and a digest of everything that affects the result. If facts and basis are equal, so is the result. */
  readonly basis?: string;
  /** The version of the model; undefined without a model. */
  readonly modelVersion?: string;
}

/** The least confidence of a place that is kept, from 0 to 1. A wrong city is worse than no city. */
const placeConfidenceMin = 0.5;

const locationsMax = 10_000;

const digestLength = 22;

/**
 * Creates a judge. It adds the data of people files to the facts, and resolves the profile's location before the analysis. The
 * facts are stored unchanged.
 * @param asOf the day as of which everybody in the run is judged.
 * @param model the assessor's model. Without a model, the judge has no basis.
 */
export function createJudge(modules: {
  readonly assess: Assessor;
  readonly places: Pick<Places, "resolve">;
  readonly asOf: AsOf;
  readonly model?: Pick<Model, "modelVersion">;
  readonly publishCommitEmails?: boolean;
}): Judge {
  const { assess, places, asOf, model, publishCommitEmails = false } = modules;
  // Caches locations, because many people have the same location.
  const known = new Map<string, readonly PlaceFacts[]>();
  const findSurePlaces = (location: string): readonly PlaceFacts[] => {
    if (known.size >= locationsMax) known.clear();
    return known.getOrInsertComputed(location, () =>
      places
        .resolve(location)
        .places.filter(({ confidence }) => confidence >= placeConfidenceMin)
        .map(({ place: { id, fullName } }) => ({ id, fullName })),
    );
  };
  const judge = (stored: Facts): Assessment => {
    const facts = composeFacts(stored, { publishCommitEmails });
    const { location } = facts.profile;
    const subject = { facts, places: location === undefined ? [] : findSurePlaces(location) };
    return { ...assess(subject, asOf), facts: stored };
  };
  if (!model) return judge;
  const { modelVersion } = model;
  const inputs = [digestProgram(), modelVersion, asOf, String(publishCommitEmails)].join("\n");
  const digest = new Bun.CryptoHasher("sha256").update(inputs).digest("base64url");
  // The pool reads the first word of the basis as the version of the model.
  const basis = `${modelVersion} ${digest.slice(0, digestLength)}`;
  return Object.assign(judge, { basis, modelVersion });
}
