import { renameSync, rmSync, writeFileSync } from "node:fs";
import { Fault } from "../../contract/fault.ts";

/** Writes a file completely or not at all. @throws Fault if the file cannot be written. */
export function writeAtomically(path: string, text: string, { mode = 0o666 } = {}): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    writeFileSync(partial, text, { mode });
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    const reason = (error as Error).message;
    throw new Fault("system", `${path} cannot be written: ${reason}`);
  }
}
