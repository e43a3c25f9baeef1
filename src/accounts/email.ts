/** The form that HTML accepts in an e-mail field; the domain may have no dot (`admin@localhost`). */
const form =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const lengthMax = 254;

/** @package */
export function isEmail(text: string): boolean {
  return text.length <= lengthMax && form.test(text);
}

/** @package The form e-mails are compared in: nobody tells Ada@example.com from ada@example.com. */
export function toEmailKey(email: string): string {
  return email.toLowerCase();
}
