/** Listens at a Unix socket instead of a port. File permissions decide who may connect. */
import { lstatSync, rmSync } from "node:fs";

/** Gets the path from a host such as `unix:/run/roster/roster.sock`; undefined for other hosts. */
export function getSocketPath(host: string): string | undefined {
  return host.startsWith("unix:") ? host.slice("unix:".length) : undefined;
}

/** Removes the socket file that a killed server left behind. Never removes a socket in use. */
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
