/** Signs people in with a password or a one-time link, and signs them up. */
import type { AccountRow } from "../../control/account-records.ts";
import { isEmail, toEmailKey, toNewAccountRow } from "../account-fields.ts";
import { findPasswordWeakness, hashPassword, isPasswordCorrect } from "./passwords.ts";
import { endBrowserSession, type Visitor } from "./sessions.ts";
import type { SignInContext } from "./sign-in-context.ts";
import type {
  CookieLines,
  RequestOrigin,
  SignInOutcome,
  VerifiedAccount,
} from "./sign-in-options.ts";
import { createThrottle, type Throttle } from "./throttle.ts";
import { digestToken } from "./tokens.ts";

interface PasswordEntry {
  readonly email: string;
  readonly password: string;
}

type SignedInPromise = Promise<SignInOutcome<{ readonly cookies: CookieLines }>>;

const quarterOfAnHour = 15 * 60;
const hour = 60 * 60;

export function createPasswordSignIn(context: SignInContext) {
  const { control, now, signUpMode } = context;
  const guesses = createThrottle({ now, missesMax: 10, windowSeconds: quarterOfAnHour });
  const signUps = createThrottle({ now, missesMax: 10, windowSeconds: hour });
  const check = createPasswordCheck(context, guesses);
  return {
    signUpMode,
    signIn: async ({ email, password }: PasswordEntry, from: RequestOrigin): SignedInPromise => {
      const account = isEmail(email)
        ? await control.findAccountByEmail(toEmailKey(email))
        : undefined;
      const checked = await check({ account, name: toEmailKey(email), password }, from);
      return checked.ok ? replaceSession(context, checked, from) : checked;
    },
    /** Verifies the password of a signed-in user again (ASVS 7.5.1). A new session replaces the current session. */
    confirm: async (
      { account: { id, email }, sessionId }: Visitor,
      password: string,
      from: RequestOrigin,
    ): SignedInPromise => {
      const account = await control.findAccount(id);
      const checked = await check({ account, name: toEmailKey(email), password }, from);
      if (!checked.ok) return toFieldRefusal("password", checked);
      const cookies = await context.openSession(checked, from, "session.confirmed");
      if (!cookies) return toFieldRefusal("password", refusedAsWrong);
      await control.signIn.endSessions(id, { id: sessionId }, undefined);
      return { ok: true, cookies };
    },
    /** Changes the password. All sessions of the account end, and a new session opens. */
    changePassword: async (
      { account: { id, email } }: Visitor,
      { current, next }: { current: string; next: string },
      from: RequestOrigin,
    ): SignedInPromise => {
      const account = await control.findAccount(id);
      const checked = await check({ account, name: toEmailKey(email), password: current }, from);
      if (!checked.ok) return toFieldRefusal("current", checked);
      const weakness = findPasswordWeakness(next, { email });
      if (weakness) return { ok: false, field: "next", message: weakness };
      const hash = await hashPassword(next);
      const change = { accountId: id, hash, before: checked.hash };
      const isChanged = await control.signIn.setPassword(
        change,
        context.entry("password.changed", id),
      );
      // Another request has changed the password meanwhile, so the current password is no longer valid.
      if (!isChanged) return toFieldRefusal("current", refusedAsWrong);
      return toOutcome(await context.openSession({ ...checked, hash }, from));
    },
    /** Creates an account on the free plan, without a key. */
    signUp: (given: PasswordEntry, from: RequestOrigin) => signUp(context, signUps, given, from),
    /** @returns the purpose, e-mail and end of a link. Undefined means that the link is unknown, used or expired. */
    findLink: async (token: string) => {
      const link = await control.signIn.findLink(digestToken(token), now());
      if (!link) return undefined;
      const { purpose, account, expiresMs } = link;
      return { purpose, email: account.email, expiresAt: new Date(expiresMs) };
    },
    redeem: (token: string, given: LinkEntry, from: RequestOrigin) =>
      redeem(context, token, given, from),
  };
}

interface LinkEntry {
  /** A new e-mail for the account. Only a link for the first set-up can change it. */
  readonly email?: string;
  readonly password: string;
}

interface Guess {
  readonly account: AccountRow | undefined;
  /** The e-mail for which the password was entered. Perhaps no account has it. */
  readonly name: string;
  readonly password: string;
}

type CheckOutcome = SignInOutcome<VerifiedAccount>;

function createPasswordCheck(context: SignInContext, throttle: Throttle) {
  const { control, entry, knownBrowsers } = context;
  return async (
    { account, name, password }: Guess,
    { address, request }: RequestOrigin,
  ): Promise<CheckOutcome> => {
    const browser = await knownBrowsers.find(request, account?.id);
    const waitSeconds = throttle.take({ address, browser });
    if (waitSeconds !== undefined) {
      return refuseAttempt(waitSeconds, browser ? "in this browser" : "from your network");
    }
    const hash =
      account && !account.disabled ? await control.signIn.findPassword(account.id) : undefined;
    if (account && (await isPasswordCorrect(password, hash)) && hash !== undefined) {
      throttle.giveBack({ address, browser });
      return { ok: true, account, hash };
    }
    if (!account) await isPasswordCorrect(password, undefined);
    // The guess is recorded even if no account exists. Otherwise the faster answer would reveal that no account exists.
    const subject = account?.id ?? "nobody";
    await control.record(entry("sign-in.refused", subject, { address: address ?? null }));
    await Bun.sleep(throttle.miss(name));
    return refusedAsWrong;
  };
}

const wrong = "The e-mail or the password is wrong.";
const refusedAsWrong = { ok: false, message: wrong } as const;

/** @param cookies the cookies of a new session. Undefined means that no session could be opened. */
function toOutcome(cookies: CookieLines | undefined): Awaited<SignedInPromise> {
  return cookies ? { ok: true, cookies } : refusedAsWrong;
}

/** Rewords a refusal for a user who entered only a password. */
function toFieldRefusal(field: string, refused: Extract<CheckOutcome, { ok: false }>) {
  const message = refused.message === wrong ? "The password is wrong." : refused.message;
  return { ...refused, field, message };
}

function refuseAttempt(retryAfterSeconds: number, where = "from your network") {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  const message = `Too many attempts ${where}. Try again in ${wait}.`;
  return { ok: false, message, retryAfterSeconds } as const;
}

/** Opens a session. The browser's earlier session ends (ASVS 7.2.4). */
async function replaceSession(
  context: SignInContext,
  verified: VerifiedAccount,
  from: RequestOrigin,
): SignedInPromise {
  if (from.request) await endBrowserSession(context, from.request, "session.replaced");
  return toOutcome(await context.openSession(verified, from));
}

async function signUp(
  context: SignInContext,
  throttle: Throttle,
  { email, password }: PasswordEntry,
  from: RequestOrigin,
): SignedInPromise {
  const { control, signUpMode, now } = context;
  if (signUpMode !== "open") {
    const invited = "Accounts are made by invitation here; ask the administrator for one.";
    const closed = "No accounts can be made here.";
    return { ok: false, message: signUpMode === "invitation" ? invited : closed };
  }
  const refused = findRefusal({ email, password });
  if (refused) return refused;
  const waitSeconds = throttle.take(from);
  if (waitSeconds !== undefined) return refuseAttempt(waitSeconds);
  const row = toNewAccountRow({ email, plan: "free" }, now());
  const hash = await hashPassword(password);
  const made = context.entry("account.created", row.id, { email, plan: row.plan, by: "sign-up" });
  if (await control.addAccount(row, undefined, made, hash)) {
    const message = "This e-mail has an account already. Sign in, or ask for a new password.";
    return { ok: false, field: "email", message };
  }
  const account = (await control.findAccount(row.id)) as AccountRow;
  return replaceSession(context, { account, hash }, from);
}

function findRefusal({ email, password }: PasswordEntry) {
  if (!isEmail(email)) {
    const message = "The e-mail must have the form name@example.com.";
    return { ok: false, field: "email", message } as const;
  }
  const weakness = findPasswordWeakness(password, { email });
  return weakness ? ({ ok: false, field: "password", message: weakness } as const) : undefined;
}

const deadLink = {
  ok: false,
  message: "This link is not valid, or no longer valid. Ask for a new one.",
} as const;

async function redeem(
  context: SignInContext,
  token: string,
  given: LinkEntry,
  from: RequestOrigin,
): SignedInPromise {
  const { control, now } = context;
  const digest = digestToken(token);
  const link = await control.signIn.findLink(digest, now());
  if (!link) return deadLink;
  const wanted = link.purpose === "set-up" ? given.email : undefined;
  const email = wanted ?? link.account.email;
  const refused = findRefusal({ email, password: given.password });
  if (refused) return refused;
  const hash = await hashPassword(given.password);
  const change = wanted === undefined ? {} : { email: { email, emailKey: toEmailKey(email) } };
  const redeemed = await control.signIn.redeemLink(digest, { hash, at: now(), ...change }, (used) =>
    context.entry("link.used", used.account.id, { purpose: used.purpose, email }),
  );
  if (redeemed.ok) return replaceSession(context, { account: redeemed.account, hash }, from);
  if (redeemed.code === "unknown") return deadLink;
  return { ok: false, field: "email", message: "Another account has this e-mail." };
}
