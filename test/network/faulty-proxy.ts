/** A TCP proxy of this machine's loopback that loses connections, falls silent, is slow or is not there. */
import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { freePort } from "../faults/server-process.ts";

export interface NetworkFault {
  /** Whose bytes are counted: those that the client sends, or those that it receives. */
  readonly of: "sent" | "received";
  /** How many bytes still pass, of all connections together. */
  readonly bytes: number;
  /** What follows: the connection is lost, or nothing more comes. */
  readonly end: "cut" | "stall";
}

export interface FaultyProxy {
  readonly port: number;
  /** How many bytes passed, of all connections. */
  readonly passed: { readonly sent: number; readonly received: number };
  /** Undefined ends the fault, for new connections. */
  fail(fault: NetworkFault | undefined): void;
  /** Bytes a second for each direction of a connection; undefined is as fast as can be. */
  slow(bytesPerSecond: number | undefined): void;
  /** Nothing listens at the port any more, and what was connected is lost. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** The same as `goAway`. */
  stop(): Promise<void>;
}

/** @param target the port of the server behind it. */
export async function startFaultyProxy(target: number): Promise<FaultyProxy> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  const passed = { sent: 0, received: 0 };
  let fault: NetworkFault | undefined;
  let left = 0;
  let pace: number | undefined;
  let server: Server | undefined;
  const pump = async (from: Socket, to: Socket, of: NetworkFault["of"]) => {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      const failing = fault?.of === of ? fault : undefined;
      const part = failing ? chunk.subarray(0, left) : chunk;
      left -= part.length;
      passed[of] += part.length;
      if (part.length > 0 && !to.write(part)) await once(to, "drain");
      if (failing && part.length < chunk.length) {
        if (failing.end === "cut") for (const socket of [from, to]) socket.resetAndDestroy();
        // Both sides stay open: a stalled connection says nothing until one of them gives up.
        else await once(to, "close");
        return;
      }
      if (pace !== undefined) await Bun.sleep((1000 * part.length) / pace);
    }
    to.end();
  };
  const connect = (client: Socket) => {
    const behind = createConnection(target, "127.0.0.1");
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    // A connection that is lost ends its pumps, which is what was wanted.
    for (const work of [pump(client, behind, "sent"), pump(behind, client, "received")])
      work.catch(() => {});
  };
  const comeBack = async () => {
    if (server) return;
    const listening = createServer({ allowHalfOpen: true }, connect);
    await new Promise<void>((resolve, reject) => {
      listening.once("error", reject);
      listening.listen(port, "127.0.0.1", resolve);
    });
    server = listening;
  };
  const goAway = async () => {
    const closing = server;
    server = undefined;
    for (const socket of sockets) socket.destroy();
    if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()));
  };
  await comeBack();
  return {
    ...{ port, passed, goAway, comeBack, stop: goAway },
    fail(next) {
      fault = next;
      left = next?.bytes ?? 0;
    },
    slow(bytesPerSecond) {
      pace = bytesPerSecond;
    },
  };
}
