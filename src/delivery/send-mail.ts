/** Sends one mail through the operator's mail server. */
import { isLoopback } from "../network/ip-address.ts";

export interface MailAccess {
  /** As `smtp://HOST:PORT`, for STARTTLS, or `smtps://HOST:PORT`. */
  readonly url: string;
  readonly from: string;
  readonly auth?: { readonly user: string; readonly pass: string };
}

/** `id` is the same in each attempt, so that a mail that comes twice can be recognized. */
export type Mail = Readonly<Record<"id" | "to" | "subject" | "text", string>>;

/** @returns why the server has not taken it, without any address. @throws Error if `signal` ends the attempt. */
export async function sendMail(
  { url, auth, from }: MailAccess,
  { id, to: address, ...mail }: Mail,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Few servers send mail, so that the others need not load this.
  const { createTransport } = await import("nodemailer");
  const { protocol, hostname } = new URL(url);
  // On this machine, the certificate of a mail server is rarely one to trust.
  const isPlain = protocol === "smtp:" && isLoopback(hostname);
  const safety = { requireTLS: !isPlain, ignoreTLS: isPlain, disableFileAccess: true };
  const transport = createTransport({ url, auth, ...safety, disableUrlAccess: true });
  const messageId = `<${id}@${from.slice(from.indexOf("@") + 1)}>`;
  const headers = { "Auto-Submitted": "auto-generated" };
  try {
    const to = { name: "", address };
    await transport.sendMail({ ...mail, to, from, messageId, headers, signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return describeRefusal(error as MailError);
  } finally {
    transport.close();
  }
}

type MailError = { readonly code?: string; readonly originalCode?: string; response?: string };

const refusals: Readonly<Record<string, string>> = {
  EAUTH: "the mail server refused the user or the password",
  EENVELOPE: "the mail server refused the sender or the receiver",
  ETLS: "the mail server offers no STARTTLS",
  EDNS: "the host of the mail server has no address",
};

/** Keeps only the code of an answer, because its words may repeat an address or a user. */
function describeRefusal({ code = "", originalCode = code, response = "" }: MailError): string {
  const answer = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0];
  const isUntrusted = /CERT|VERIFY|SIGNED|ALTNAME/.test(originalCode);
  const other = answer ? "the mail server refused the mail" : "the mail server cannot be reached";
  const words = isUntrusted ? "the certificate of the mail server is not trusted" : refusals[code];
  return `${words ?? other} (${answer ?? originalCode})`;
}
