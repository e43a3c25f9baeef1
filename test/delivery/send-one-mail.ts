/** Sends the mail that the arguments describe, and prints the outcome. A process of its own, because it trusts at its start. */
import { sendMail } from "../../src/delivery/send-mail.ts";

const [access = "", mail = ""] = process.argv.slice(2);
const signal = AbortSignal.timeout(10_000);
const outcome = await sendMail(JSON.parse(access), JSON.parse(mail), signal);
process.stdout.write(JSON.stringify(outcome ?? "sent"));
