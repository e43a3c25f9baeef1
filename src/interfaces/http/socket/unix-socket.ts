/** Listening at a file instead of a port: who may open it, the rights of its folder and its group say. */
import { chmodSync, lstatSync, rmSync } from "node:fs";

/** Owner and group may connect: a proxy in the group. */
const mode = 0o660;

/** The path in `unix:/run/roster/roster.sock`; undefined for a host. */
export function getSocketPath(host: string): string | undefined {
  return host.startsWith("unix:") ? host.slice("unix:".length) : undefined;
}

/** Removes the socket of a server that was killed; leaves one that somebody answers at, and every other file. */
export async function removeDeadSocket(host: string): Promise<void> {
  const path = getSocketPath(host);
  if (path === undefined || !lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return;
  try {
    const connected = await Bun.connect({ unix: path, socket: { data() {} } });
    connected.end();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") rmSync(path, { force: true });
  }
}

/** @package Of a socket that was just opened for its owner alone. */
export function openToGroup(path: string): void {
  chmodSync(path, mode);
}
