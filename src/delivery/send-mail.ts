/** Sends one mail through the operator's mail server. */
import { isLoopback } from "../network/ip-address.ts";

export interface MailAccess {
  readonly host: string;
  readonly port: number;
  /** Whether TLS begins at once. Otherwise STARTTLS begins it. */
  readonly secure: boolean;
  readonly from: string;
  readonly auth?: { readonly user: string; readonly pass: string };
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same in each attempt, so that a mail that comes twice can be recognized. */
  readonly id: string;
}

/** @returns why the server has not taken it, without any address. @throws Error if `signal` ends the attempt. */
export async function sendMail(
  { from, ...server }: MailAccess,
  { id, ...mail }: Mail,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Few servers send mail, so that the others need not load this.
  const { createTransport } = await import("nodemailer");
  // Nothing leaves this machine before TLS. On the machine, the certificate of a mail server is rarely one to trust.
  const isHere = !server.secure && isLoopback(server.host);
  const transport = createTransport({
    ...{ ...server, requireTLS: !server.secure && !isHere, ignoreTLS: isHere },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const messageId = `<${id}@${from.slice(from.indexOf("@") + 1)}>`;
  const headers = { "Auto-Submitted": "auto-generated" };
  try {
    await transport.sendMail({ ...mail, from, messageId, headers, signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return describeRefusal(error as MailError);
  } finally {
    transport.close();
  }
}

type MailError = Error & { code?: string; originalCode?: string; response?: string };

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
