/** A real mail server on this machine, which keeps what it takes. */
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The mail as it came: headers, an empty line, and the text. */
  readonly raw: string;
  /** Whether it came over TLS. */
  readonly isSafe: boolean;
  readonly user: string | undefined;
}

interface Options {
  /** Without it, the server has no TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Whether TLS begins at once. */
  readonly secure?: boolean;
  readonly port?: number;
  /** The password that it wants of everybody. Without it, nobody signs in. */
  readonly password?: string;
  /** Refuses a receiver. */
  readonly refuse?: (to: string) => { code: number; text: string } | undefined;
}

export async function openMailServer({ tls, secure = false, password, refuse, port }: Options) {
  const mails: TakenMail[] = [];
  const server = new SMTPServer({
    ...{ ...tls, secure, disableReverseLookup: true, disabledCommands: tls ? [] : ["STARTTLS"] },
    ...{ authOptional: password === undefined, allowInsecureAuth: true },
    onAuth: ({ username, password: given }, _, done) =>
      given === password ? done(null, { user: username }) : done(new Error(`no ${username}`)),
    onRcptTo({ address }, _, done) {
      const refusal = refuse?.(address);
      const { code: responseCode, text = "" } = refusal ?? {};
      done(refusal ? Object.assign(new Error(text), { responseCode }) : null);
    },
    onData(stream, { envelope, secure: isSafe, user }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = envelope;
        const [from, to] = [mailFrom ? mailFrom.address : "", rcptTo.map((one) => one.address)];
        mails.push({ from, to, raw: `${Buffer.concat(parts)}`, isSafe, user: user as string });
        done();
      });
    },
  });
  // A client that does not trust the certificate breaks off.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(port ?? 0, "0.0.0.0", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
