/** Listening at a file instead of a port. The permissions of its folder and its group decide who may connect. */
import { chmodSync, lstatSync, rmSync } from "node:fs";

/** The owner and the group may connect, so that a proxy can be a member of the group. */
const mode = 0o660;

/** The path in `unix:/run/roster/roster.sock`; undefined for a host. */
export function getSocketPath(host: string): string | undefined {
  return host.startsWith("unix:") ? host.slice("unix:".length) : undefined;
}

/** Removes the socket of a killed server; leaves a socket that accepts connections, and every other file. */
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

/** @package Lets the group connect to a new socket, which is open to its owner only. */
export function openToGroup(path: string): void {
  chmodSync(path, mode);
}
