/** Listens at a Unix socket instead of a port. The permissions of the folder and the group of the file decide who may connect. */
import { chmodSync, lstatSync, rmSync } from "node:fs";

/** The permissions of the socket: the owner and the group may connect. A proxy can be a member of the group. */
const mode = 0o660;

/** Gets the path from a host of the form `unix:/run/roster/roster.sock`; undefined for a host name or IP address. */
export function getSocketPath(host: string): string | undefined {
  return host.startsWith("unix:") ? host.slice("unix:".length) : undefined;
}

/** Removes the socket file that a killed server left behind. Never removes a socket in use, or a file that is not a socket. */
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

/** @package Lets the group connect to a new socket. At first only its owner can. */
export function openToGroup(path: string): void {
  chmodSync(path, mode);
}
