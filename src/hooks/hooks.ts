/** Push hooks: a forge, or a `post-receive` hook, says that somebody has pushed. Then Roster reads that repository. */
import { Problem } from "../contract/problem.ts";
import { createWindowCounts } from "../control/window-counts.ts";
import { toNetworkKey } from "../network/ip-address.ts";
import { readBody } from "../network/request.ts";
import type { Route } from "../network/route.ts";
import { readPush } from "./delivery.ts";
import { findProof, hasProof } from "./proof.ts";

export interface HookOptions {
  readonly now: () => Date;
  /** @returns undefined if there is no such source, or its hook is off. */
  findSecret(id: string): Promise<string | undefined>;
  /**
   * Asks for a reading and does not wait for it.
   * @param repository selects one of the source's known repositories; undefined selects all of them.
   */
  push(id: string, repository: string | undefined): Promise<"accepted" | "unknown repository">;
}

/** Replaces the secret of an unknown source, so that its answer takes as long. */
const decoy = "-".repeat(43);
/** GitHub lists up to 2,048 commits of a push. */
const bodyBytesMax = 4 * 2 ** 20;
/** The form of the ids of sources. */
const idForm = /^[a-z0-9][a-z0-9.-]{0,59}$/;
/** A hook with a wrong secret must not stop the other hooks of its forge, so each source has its own limit. */
const perMinute = { wrongOfNetwork: 300, wrongOfSource: 30, right: 600 };

export function createHookRoutes({ now, findSecret, push }: HookOptions): readonly Route[] {
  const [wrong, right] = [createWindowCounts(now, 60), createWindowCounts(now, 60)];
  const seen = createWindowCounts(now, 3600);
  const verify = async (request: Request, id: string) => {
    if (!hasProof(request.headers)) return undefined;
    const body = Buffer.from(await readBody(request, bodyBytesMax));
    const secret = await findSecret(id);
    const proof = findProof({ headers: request.headers, body, now: now() }, secret ?? decoy);
    return secret && proof ? { ...proof, body: body.toString() } : undefined;
  };

  const handle: Route["handle"] = async (request, { address, requestId, note }, params) => {
    const id = idForm.test(params["id"] ?? "") ? (params["id"] as string) : "";
    const network = toNetworkKey(address);
    const ofSource = `${network} ${id}`;
    requireFewer(wrong.add(network, 0), perMinute.wrongOfNetwork);
    requireFewer(wrong.add(ofSource, 0), perMinute.wrongOfSource);
    const verified = await verify(request, id);
    if (verified === undefined) {
      for (const name of [network, ofSource]) wrong.add(name, 1);
      throw new Problem("unauthorized", { message: wrongSecret });
    }
    note?.({ key: `hook of ${id}` });
    requireFewer(right.add(id, 0), perMinute.right);
    right.add(id, 1);
    const { signature = "", body } = verified;
    const pushed = readPush(request.headers, body);
    if (!pushed) return createAnswer("no push", requestId);
    if (signature && seen.add(signature, 0).count > 0) return createAnswer("repeated", requestId);
    const outcome = await push(id, pushed.repository);
    if (signature && outcome === "accepted") seen.add(signature, 1);
    return createAnswer(outcome, requestId);
  };
  return [{ path: "/hooks/:id", methods: ["POST"], handle }];
}

const wrongSecret =
  "The secret or signature of this hook is missing or wrong. An administrator can turn the hook on again, which shows a new secret.";

/** A forge shows any other status as a fault of the hook. */
const outcomes = {
  accepted: [202, "Roster reads the repository in a moment."],
  "unknown repository": [
    200,
    "The source does not have this repository yet. A full reading finds new ones.",
  ],
  "no push": [200, "This is not a push, so nothing is read."],
  repeated: [200, "This delivery has come before, so nothing is read."],
} as const;

function createAnswer(outcome: keyof typeof outcomes, requestId: string): Response {
  const [status, message] = outcomes[outcome];
  const answer = { success: true, data: { outcome, message }, meta: { requestId } };
  return Response.json(answer, { status });
}

function requireFewer({ count, leftSeconds }: { count: number; leftSeconds: number }, max: number) {
  if (count < max) return;
  const message = `Too many calls of this hook. Try again in ${leftSeconds} seconds.`;
  throw new Problem("quota_exceeded", { message, retryAfterSeconds: leftSeconds });
}
