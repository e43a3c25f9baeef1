import { Fault } from "../contract/fault.ts";
import type { Plan } from "../contract/limits.ts";
import { Problem } from "../contract/problem.ts";
import type { AccountRow, AddRefusal, ControlStore, NewKey } from "../control/control-store.ts";
import {
  type Account,
  createInvalidRequest,
  type Identity,
  isEmail,
  type NewAccount,
  type OwnLimits,
  parseOwnLimits,
  parsePlan,
  quoteInput,
  toAccount,
  toEmailKey,
  toNewAccountRow,
} from "./account-fields.ts";
import {
  createKey,
  createRandomBase62,
  digestKey,
  formatKeyHint,
  isKey,
  type RandomBytes,
  systemRandom,
} from "./keys.ts";
import { createOAuthClients, type OAuthClients } from "./oauth/clients.ts";
import { createLinkToken, type LinkPurpose } from "./sign-in/tokens.ts";

export type { Account, Identity, NewAccount, OwnLimits } from "./account-fields.ts";
export { type BearerCredentials, createKey, isKey, readBearerCredentials } from "./keys.ts";
export {
  addressHeader,
  canIssueTokens,
  errorPath,
  getAddressAsked,
  getResourceMetadataUrl,
  getResourceUrl,
  httpsOnly,
  type OAuthRefusal,
  scopes,
  signInPagePaths,
} from "./oauth/oauth.ts";
export { describeDestination } from "./oauth/redirects.ts";
export {
  type CookieLines,
  createSignIn,
  passwordLengthMax,
  passwordLengthMin,
  type RequestOrigin,
  type SignIn,
  type SignInOptions,
  type SignInOutcome,
  type SignUpMode,
  type Visitor,
} from "./sign-in/sign-in.ts";
export { getLinkPath, type LinkPurpose, linkPaths } from "./sign-in/tokens.ts";

/** Who is asking: accounts, their one key each, plans. */
export interface Accounts {
  /**
   * Who holds this key, as presented by an interface; a text of the wrong form or checksum never reaches the store.
   * @returns `undefined` for a missing, invalid or revoked key and for a disabled account: all one 401.
   */
  authenticate(key: string): Identity | undefined;
  /** The built-in account of the command line: no limits (decision 24). */
  readonly operator: Identity;
  /** @returns the new account and its key, shown this once. @throws Problem invalid_request when the e-mail is taken or malformed. */
  create(account: NewAccount): { readonly account: Account; readonly key: string };
  /** For people who come by browser: they make their key themselves. @throws like `create`. */
  createWithoutKey(account: Omit<NewAccount, "key">): Account;
  /**
   * A one-time link's token, in place of the account's link before it: it opens a page that sets the password.
   * Made without the sign-in library. @throws Problem not_found.
   */
  makeLink(
    email: string,
    purpose: LinkPurpose,
  ): { readonly token: string; readonly expiresAt: Date };
  find(email: string): Account | undefined;
  list(): readonly Account[];
  /** @throws Problem not_found for an unknown e-mail, here and below. */
  setPlan(email: string, plan: Plan, limits: OwnLimits): Account;
  /** @throws Problem invalid_request for the last enabled administrator, unless `evenLast`. */
  setDisabled(email: string, disabled: boolean, evenLast?: boolean): Account;
  /** The old key is dead when this returns, in every process (API document, "Authentication", 2). */
  regenerateKey(email: string): string;
  /** Assistants that the operator registered. */
  readonly clients: OAuthClients;
  /** A new key for the administrator, on a folder whose key was lost. */
  recoverKey(): { readonly email: string; readonly key: string };
}

interface AccountsOptions {
  readonly now: () => Date;
  /** Who acts, for the audit log; default: the operator at the command line. */
  readonly actor?: string;
  /** Where answers to assistants may go beside https and this machine; default: nowhere. */
  readonly privateRedirects?: readonly string[];
  /** Default: the system's. */
  readonly random?: RandomBytes;
}

export function openAccounts(control: ControlStore, options: AccountsOptions): Accounts {
  const { now, actor = operatorId, random = systemRandom, privateRedirects = [] } = options;
  // Asking for e-mails only keeps the operator's account, which has none, out of every command.
  const lookUp = (email: string) => findByEmail(control, email);
  const held = (email: string) => lookUp(email) ?? refuseUnknown(email);
  const entry = (action: string, { id: subject }: { id: string }, detail: AuditDetail) => ({
    ...{ at: now(), actor, action, subject, detail },
  });
  const replaceKey = (account: AccountRow, action: string): string => {
    const key = createKey(random);
    const { row, detail } = stored(key, { now: now(), random });
    control.replaceKey(account.id, row, entry(action, account, detail));
    return key;
  };
  const add = (wanted: NewAccount, key: string | undefined): Account => {
    const at = now();
    const account = toNewAccountRow(wanted, { id: `acc_${createRandomBase62(16, random)}`, at });
    const first = key === undefined ? undefined : stored(key, { now: at, random });
    const { email, plan, administrator, callsPerMonth, callsPerDay } = account;
    const made = { email, plan, administrator, callsPerMonth, callsPerDay, ...first?.detail };
    refuse(control.addAccount(account, first?.row, entry("account.created", account, made)), email);
    return toAccount(held(email));
  };
  ensureOperator(control, now());

  return {
    operator,
    clients: createOAuthClients(control, { random, privateRedirects, entry }),
    authenticate: (key) => {
      const holder = isKey(key) ? control.findKey(digestKey(key)) : undefined;
      if (!holder) return undefined;
      const { accountId, keyId, plan } = holder;
      return { accountId, plan: plan as Plan, credential: { kind: "key", id: keyId } };
    },
    create: (wanted) => {
      const key = wanted.key ?? createKey(random);
      return { account: add(wanted, key), key };
    },
    createWithoutKey: (wanted) => add(wanted, undefined),
    makeLink: (email, purpose) => {
      const account = held(email);
      const { token, link } = createLinkToken(account.id, purpose, { now: now(), random });
      control.signIn.addLink(link, entry("link.made", account, { purpose }));
      return { token, expiresAt: new Date(link.expiresMs) };
    },
    find: (email) => {
      const account = lookUp(email);
      return account && toAccount(account);
    },
    list: () =>
      control
        .listAccounts()
        .filter(({ id }) => id !== operatorId)
        .map(toAccount),
    setPlan: (email, plan, limits) => {
      const account = held(email);
      const change = { plan: parsePlan(plan), ...parseOwnLimits(limits) };
      control.changeAccount(account.id, change, entry("plan.changed", account, change));
      return toAccount(held(email));
    },
    setDisabled: (email, disabled, evenLast = false) => {
      const account = held(email);
      if (disabled && !evenLast) refuseLastAdministrator(control, account);
      const action = disabled ? "account.disabled" : "account.enabled";
      control.changeAccount(account.id, { disabled }, entry(action, account, {}));
      return toAccount(held(email));
    },
    regenerateKey: (email) => replaceKey(held(email), "key.regenerated"),
    recoverKey: () => {
      const account = firstAdministrator(control);
      return { email: account.email, key: replaceKey(account, "key.recovered") };
    },
  };
}

function enabledAdministrators(control: ControlStore): readonly AccountRow[] {
  return control.listAccounts().filter(({ administrator, disabled }) => administrator && !disabled);
}

function refuseLastAdministrator(control: ControlStore, { id, email }: AccountRow): void {
  const [one, ...others] = enabledAdministrators(control);
  if (one?.id !== id || others.length > 0) return;
  throw createInvalidRequest(
    `${quoteInput(email)} is the last administrator who is not disabled: make or enable another one first`,
  );
}

function firstAdministrator(control: ControlStore): AccountRow {
  const [account] = enabledAdministrators(control);
  if (account) return account;
  throw new Fault("no_administrator", "there is no enabled administrator account");
}

function refuseUnknown(email: string): never {
  throw new Problem("not_found", { message: `no account has the e-mail ${quoteInput(email)}` });
}

function findByEmail(control: ControlStore, email: string): AccountRow | undefined {
  return isEmail(email) ? control.findAccountByEmail(toEmailKey(email)) : undefined;
}

const operatorId = "operator";
const operator: Identity = {
  accountId: operatorId,
  plan: "operator",
  credential: { kind: "operator", id: operatorId },
};

type AuditDetail = Record<string, string | number | boolean | null>;

function ensureOperator(control: ControlStore, at: Date): void {
  if (control.findAccount(operatorId)) return;
  const limits = { callsPerMonth: null, callsPerDay: null };
  const names = { id: operatorId, email: operatorId, emailKey: operatorId, plan: operatorId };
  // A refusal only says that another process was faster.
  control.addAccount(
    { ...names, ...limits, administrator: false, createdMs: at.getTime() },
    undefined,
    { at, actor: "store", action: "account.created", subject: operatorId, detail: {} },
  );
}

function refuse(refusal: AddRefusal | undefined, email: string): void {
  if (refusal?.code === "account_taken") {
    throw createInvalidRequest(`the e-mail ${quoteInput(email)} has an account already`);
  }
  if (refusal?.code === "key_taken") {
    throw new Fault("key_used", "this key has been in use before");
  }
}

function stored(
  key: string,
  { now, random }: { now: Date; random: RandomBytes },
): { row: NewKey; detail: { keyId: string; keyHint: string } } {
  if (!isKey(key)) {
    throw new Fault(
      "key_malformed",
      "the key must have the form rst_ and 49 letters and digits, with a checksum",
    );
  }
  const id = `key_${createRandomBase62(16, random)}`;
  const hint = formatKeyHint(key);
  const row = { id, digest: digestKey(key), hint, createdMs: now.getTime() };
  return { row, detail: { keyId: id, keyHint: hint } };
}
