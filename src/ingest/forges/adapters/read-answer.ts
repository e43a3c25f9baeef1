/** Reads a forge's answer, with limits on what the forge may send. */
import { Fault } from "../../../contract/fault.ts";
import { OversizedJson, parseForeignJson } from "../../../contract/foreign-json.ts";
import { gatherBytes } from "../../read-bytes.ts";

/** The largest answer. A page of a hundred people with the longest descriptions takes a fifth of this. */
const bytesMax = 16 * 1024 * 1024;

/** @package @param what text that follows the forge's name in the message, such as "redirects more than 3 times." */
export function createForgeFault(source: string, what: string, cause?: unknown): Fault {
  return new Fault("forge", `The forge of source ${source} ${what}`, { cause });
}

/** @package Reads the body. @throws Fault when it is larger than any page, or has an encoding that was not requested. */
export async function readText(response: Response, source: string): Promise<string> {
  const coding = response.headers.get("content-encoding") ?? "identity";
  if (!/^(identity|gzip|)$/i.test(coding)) {
    await response.body?.cancel();
    throw createForgeFault(source, "answered in an unknown content encoding.");
  }
  const most = `${bytesMax / 1024 / 1024} MB`;
  const tooMuch = () => createForgeFault(source, `sent more than ${most} in one answer.`);
  return (await gatherBytes(response.body ?? [], bytesMax, tooMuch)).toString("utf8");
}

/** @package Parses the body. @returns undefined for an empty body, and for a refusal that is not JSON. */
export function parseAnswer(text: string, status: number, source: string, what: string): unknown {
  if (text === "") return undefined;
  try {
    return parseForeignJson(text);
  } catch (error) {
    if (status >= 400) return undefined;
    if (!(error instanceof OversizedJson)) {
      throw createForgeFault(
        source,
        `did not answer in JSON to a request for ${what}: check the source's url.`,
      );
    }
    const said = `The answer of the forge of source ${source} to a request for ${what}`;
    throw new Fault("forge", `${said}, ${error.message}.`);
  }
}

/** @package Finds the next page by the Link header; always of the same origin. */
export function findNext(headers: Headers, base: URL): string | undefined {
  for (const [, address = "", rest = ""] of (headers.get("link") ?? "").matchAll(
    /<([^<>]*)>([^<]*)/g,
  )) {
    if (!/\brel="?next"?/.test(rest) || !URL.canParse(address, base.href)) continue;
    const url = new URL(address, base);
    // A forge behind a proxy may state another origin for itself.
    return `${base.origin}${url.pathname}${url.search}`;
  }
  return undefined;
}
