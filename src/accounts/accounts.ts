import { Fault } from "../contract/fault.ts";
import type { Plan } from "../contract/limits.ts";
import { createInvalidRequest, Problem } from "../contract/problem.ts";
import type { AccountRow, AddRefusal, AuditAction } from "../control/account-records.ts";
import type { ControlStore } from "../control/control-store.ts";
import type { LinkPurpose } from "../control/sign-in-store.ts";
import {
  type Account,
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
import { createKey, createRandomBase62, digestKey, formatKeyHint, isKey } from "./keys.ts";
import { createOAuthClients } from "./oauth/clients.ts";
import { createLinkToken } from "./sign-in/tokens.ts";

export type { LinkPurpose } from "../control/sign-in-store.ts";
export type { Account, Identity, NewAccount, OwnLimits } from "./account-fields.ts";
export {
  createKey,
  findHeaderFault,
  isKey,
  readBearerCredentials,
} from "./keys.ts";
export {
  addressHeader,
  canIssueTokens,
  describeDestination,
  errorPath,
  getRequestedAddress,
  getResourceMetadataUrl,
  getResourceUrl,
  httpsOnly,
  type OAuthRefusal,
  scopes,
  signInPagePaths,
} from "./oauth/oauth.ts";
export { passwordLengthMin } from "./sign-in/passwords.ts";
export type { Visitor } from "./sign-in/sessions.ts";
export { createSignIn, type SignIn } from "./sign-in/sign-in.ts";
export type {
  CookieLines,
  RequestOrigin,
  SignInOutcome,
} from "./sign-in/sign-in-options.ts";
export { getLinkPath, linkPaths } from "./sign-in/tokens.ts";

/** Authenticates callers by their keys, and administers accounts. */
export type Accounts = ReturnType<typeof createAccounts>;

interface AccountsOptions {
  readonly now: () => Date;
  /** Id of the account that the audit log names as the actor. The default is the operator at the command line. */
  readonly actor?: string;
  /** The redirect addresses with a private scheme that assistants may register. The default is none. */
  readonly privateRedirects?: readonly string[];
}

export async function openAccounts(
  control: ControlStore,
  options: AccountsOptions,
): Promise<Accounts> {
  await ensureOperator(control, options.now());
  return createAccounts(control, options);
}

/** Opens the accounts of a store for which `openAccounts` was called before. */
export function createAccounts(control: ControlStore, options: AccountsOptions) {
  const { now, actor = operatorId, privateRedirects = [] } = options;
  const get = (email: string) => getByEmail(control, email);
  const entry: CreateEntry = (action, { id: subject }, detail) => {
    return { at: now(), actor, action, subject, detail };
  };
  const replaceKey = async (account: AccountRow, action: AuditAction): Promise<string> => {
    const key = createKey();
    const { row, detail } = createKeyRow(key, now());
    await control.replaceKey(account.id, row, entry(action, account, detail));
    return key;
  };
  const add = async (requested: NewAccount, key: string | undefined): Promise<Account> => {
    const at = now();
    const account = toNewAccountRow(requested, at);
    const first = key === undefined ? undefined : createKeyRow(key, at);
    const { email, plan, administrator, callsPerMonth, callsPerDay } = account;
    const made = { email, plan, administrator, callsPerMonth, callsPerDay, ...first?.detail };
    const by = entry("account.created", account, made);
    throwRefusal(await control.addAccount(account, first?.row, by), email);
    return toAccount(await get(email));
  };
  return {
    ...createLookups(control),
    ...createChanges(control, entry),
    /** Assistants that the operator registered. */
    clients: createOAuthClients(control, { privateRedirects, entry }),
    /** @returns the account and its key. @throws Problem `invalid_request` for a wrong e-mail. */
    create: async (requested: NewAccount) => {
      const key = requested.key ?? createKey();
      return { account: await add(requested, key), key };
    },
    /** Creates an account without a key. @throws Problem `invalid_request` for a wrong e-mail. */
    createWithoutKey: (requested: Omit<NewAccount, "key">) => add(requested, undefined),
    /** Creates a one-time link for setting the password. The account's earlier link ends. @throws Problem `not_found`. */
    makeLink: async (email: string, purpose: LinkPurpose) => {
      const account = await get(email);
      const { token, link } = createLinkToken(account.id, purpose, now());
      await control.signIn.addLink(link, entry("link.made", account, { purpose }));
      return { token, expiresAt: new Date(link.expiresMs) };
    },
    /** Makes a key for the account. When this returns, no process accepts an earlier key any more. */
    regenerateKey: async (email: string) => {
      const account = await get(email);
      return replaceKey(account, account.keyHint ? "key.regenerated" : "key.made");
    },
    /** Replaces the key of the first enabled administrator. */
    recoverKey: async () => {
      const accounts = await control.listAccounts();
      const account = accounts.find(({ administrator, disabled }) => administrator && !disabled);
      if (!account) {
        throw new Fault("no_administrator", "there is no enabled administrator account");
      }
      return { email: account.email, key: await replaceKey(account, "key.recovered") };
    },
  };
}

function createLookups(control: ControlStore) {
  return {
    /** The built-in account of the command line, which has no limits (decision 24). */
    operator,
    /** @returns the identity behind a key. Undefined means that the key is not valid, or that its account is disabled. */
    authenticate: async (key: string): Promise<Identity | undefined> => {
      const [holder] = isKey(key) ? await control.findKeys([digestKey(key)]) : [];
      if (!holder) return undefined;
      const { accountId, keyId, plan } = holder;
      return { accountId, plan: plan as Plan, credential: { kind: "key", id: keyId } };
    },
    /** Whether a caller may find people by unpublished addresses. The operator and administrators may. Assistants may not. */
    canSeeUnpublished: async ({
      accountId,
      credential,
    }: Pick<Identity, "accountId" | "credential">) => {
      const { kind } = credential;
      if (kind === "operator" || kind === "grant") return kind === "operator";
      return (await control.findAccount(accountId))?.administrator ?? false;
    },
    find: async (email: string) => {
      const account = await findByEmail(control, email);
      return account && toAccount(account);
    },
    list: async (): Promise<readonly Account[]> =>
      (await control.listAccounts()).filter(({ id }) => id !== operatorId).map(toAccount),
  };
}

type CreateEntry = Parameters<typeof createOAuthClients>[1]["entry"];

function createChanges(control: ControlStore, entry: CreateEntry) {
  return {
    /** @throws Problem `not_found` if no account has the e-mail. */
    setPlan: async (email: string, plan: Plan, limits: OwnLimits) => {
      const account = await getByEmail(control, email);
      const change = { plan: parsePlan(plan), ...parseOwnLimits(limits) };
      await control.changeAccount(account.id, change, entry("plan.changed", account, change));
      return toAccount(await getByEmail(control, email));
    },
    /**
     * @param evenLast allows disabling the last enabled administrator.
     * @throws Problem `invalid_request` for the last enabled administrator without `evenLast`.
     */
    setDisabled: async (email: string, disabled: boolean, evenLast = false) => {
      const account = await getByEmail(control, email);
      const by = entry(disabled ? "account.disabled" : "account.enabled", account, {});
      const options = { keepsAdministrator: !evenLast };
      if (await control.changeAccount(account.id, { disabled }, by, options)) {
        throw createInvalidRequest(
          `${quoteInput(account.email)} is the only enabled administrator: create or enable another one first`,
        );
      }
      return toAccount(await getByEmail(control, email));
    },
  };
}

async function getByEmail(control: ControlStore, email: string): Promise<AccountRow> {
  const account = await findByEmail(control, email);
  if (account) return account;
  throw new Problem("not_found", { message: `no account has the e-mail ${quoteInput(email)}` });
}

/** Never finds the operator's account, because its e-mail is not valid. */
async function findByEmail(control: ControlStore, email: string): Promise<AccountRow | undefined> {
  return isEmail(email) ? control.findAccountByEmail(toEmailKey(email)) : undefined;
}

const operatorId = "operator";
const operator: Identity = {
  accountId: operatorId,
  plan: "operator",
  credential: { kind: "operator", id: operatorId },
};

async function ensureOperator(control: ControlStore, at: Date): Promise<void> {
  if (await control.findAccount(operatorId)) return;
  const limits = { callsPerMonth: null, callsPerDay: null };
  const names = { id: operatorId, email: operatorId, emailKey: operatorId, plan: operatorId };
  // A refusal means that another process has added the account, so the result is ignored.
  await control.addAccount(
    { ...names, ...limits, administrator: false, createdMs: at.getTime() },
    undefined,
    { at, actor: "store", action: "account.created", subject: operatorId, detail: {} },
  );
}

function throwRefusal(refusal: AddRefusal | undefined, email: string): void {
  if (refusal === "account_taken") {
    throw createInvalidRequest(`the e-mail ${quoteInput(email)} has an account already`);
  }
  if (refusal === "key_taken") {
    throw new Fault("key_used", "this key was used before: choose a new one");
  }
}

function createKeyRow(key: string, now: Date) {
  if (!isKey(key)) {
    throw new Fault(
      "key_malformed",
      "this is not a key: copy the whole key, which is rst_ and 49 letters and digits",
    );
  }
  const id = `key_${createRandomBase62(16)}`;
  const hint = formatKeyHint(key);
  const row = { id, digest: digestKey(key), hint, createdMs: now.getTime() };
  return { row, detail: { keyId: id, keyHint: hint } };
}
