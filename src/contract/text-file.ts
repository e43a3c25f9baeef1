import { readFileSync } from "node:fs";
import { Fault } from "./fault.ts";

/** @param failure the beginning of the error message. The system's reason follows. @throws Fault `configuration`. */
export function readTextFile(path: string, failure = `${path} cannot be read`): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Fault("configuration", `${failure}: ${(error as Error).message}`);
  }
}
