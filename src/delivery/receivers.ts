/** Sends notices to whom the settings file names: by https, by mail, or by a command. */
import { readLastLine, startGroup } from "../contract/process-group.ts";
import type { ControlStore } from "../control/control-store.ts";
import { namedPrefix } from "../control/delivery-records.ts";
import { type MailAccess, sendMail } from "./send-mail.ts";
import { deriveSecret, sendMessage } from "./send-message.ts";
import { describeFailure, type Transport, timeoutMs } from "./sender.ts";

interface NamedReceiver {
  readonly id: string;
  readonly to?: string;
  readonly command?: readonly string[];
}

interface ReceiverParts {
  readonly control: Pick<ControlStore, "signIn">;
  readonly now: () => Date;
  readonly publicUrl: () => string;
  readonly readMail: () => MailAccess | undefined;
  /** What commands get of it is how they find programs. */
  readonly environment: Readonly<Record<string, string>>;
}

export function createReceiverTransport(
  { id: receiver, to = "", command }: NamedReceiver,
  { control, now, publicUrl, readMail, environment }: ReceiverParts,
): Transport {
  const { PATH = "", HOME = "" } = environment;
  const env = { PATH, HOME, LANG: "C.UTF-8" };
  if (command) return ({ body }, signal) => runCommand(command, body, env, signal);
  if (!to.startsWith(mailScheme))
    return async ({ id, body }, signal) => {
      const secret = await readReceiverSecret(control, receiver);
      return sendMessage({ url: to, isLocal: true, secret, id, body, at: now(), signal });
    };
  return async ({ id, body }, signal) => {
    const access = readMail();
    if (!access) return "mail.server is not set";
    const mail = { id, to: to.slice(mailScheme.length), ...writeMail(body, publicUrl()) };
    return sendMail(access, mail, signal);
  };
}

const mailScheme = "mailto:";

export const readReceiverSecret = async (control: ReceiverParts["control"], id: string) =>
  deriveSecret(await control.signIn.secret(), namedPrefix + id);

/** Sends a test now. @returns why the receiver has not taken it. */
export function tryReceiver(send: Transport, at: Date): Promise<string | undefined> {
  const notices = [{ subject: "test", text: "this is a test", since: at }];
  const body = { type: "notice.test", timestamp: at, data: { state: "begun", notices } };
  const times = { createdMs: at.getTime(), dueMs: null, attempts: 0 };
  const delivery = { id: `msg_${Bun.randomUUIDv7()}`, targetId: "", ...times };
  return send({ ...delivery, body: JSON.stringify(body) }, AbortSignal.timeout(timeoutMs)).catch(
    describeFailure,
  );
}

const linesMax = 200;

function writeMail(body: string, address: string) {
  const { data } = JSON.parse(body);
  const notices: readonly { readonly text: string; readonly since: string }[] = data.notices;
  const more = notices.length - 1;
  const first = notices[0]?.text.slice(0, 100);
  const what = `${data.state === "over" ? "over: " : ""}${first}${more > 0 ? ` and ${more} more` : ""}`;
  const lines = notices
    .slice(0, linesMax)
    .map(({ text, since }) => `${text} (since ${since.slice(0, 16).replace("T", " ")} UTC)`);
  const rest = notices.length > linesMax ? [`and ${notices.length - linesMax} more`] : [];
  return {
    subject: `Roster at ${new URL(address).host}: ${what}`.replace(/\s+/g, " "),
    text: [...lines, ...rest, "", `${address}/admin`].join("\n"),
  };
}

async function runCommand(
  words: readonly string[],
  body: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { child, exited, stop } = startGroup(words, {
    env,
    stdin: new TextEncoder().encode(`${body}\n`),
  });
  signal.addEventListener("abort", stop);
  const lastWords = readLastLine(child.stderr);
  // What it prints is read, because it would wait otherwise.
  for await (const _ of child.stdout);
  const code = await exited;
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  return code === 0 ? undefined : `it failed: ${(await lastWords) || `exit code ${code}`}`;
}
