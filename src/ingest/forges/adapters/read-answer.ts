/** Reads the answer of a forge. */
import { Fault } from "../../../contract/fault.ts";
import { OversizedJson, parseForeignJson } from "../../../contract/foreign-json.ts";
import { gatherBytes } from "../../read-bytes.ts";

/** The largest answer, in bytes. */
const bytesMax = 16 * 1024 * 1024;

/**
 * @package @param what end of the message, after the name of the forge: "redirects more than 3 times."
 * @param cause the error of the connection, or the URL of a redirect.
 */
export function createForgeFault(source: string, what: string, cause?: unknown): Fault {
  return new Fault("forge", `The forge of source ${source} ${what}`, { cause });
}

/** @package Reads the body. @throws Fault for a body that is too large, or has an encoding that was not requested. */
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

/** @package Finds the address of another page in the Link header. @param relation such as `next`. */
export function findLink(headers: Headers, base: URL, relation: string): string | undefined {
  for (const [, address = "", rest = ""] of (headers.get("link") ?? "").matchAll(
    /<([^<>]*)>([^<]*)/g,
  )) {
    const [, named] = /\brel="?(\w+)/.exec(rest) ?? [];
    if (named !== relation || !URL.canParse(address, base.href)) continue;
    const url = new URL(address, base);
    // Keeps the known origin, because a forge behind a proxy may state another one.
    return `${base.origin}${url.pathname}${url.search}`;
  }
  return undefined;
}
