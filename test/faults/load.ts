/** What the tests of load share: a caller, and what a process holds. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";

export function readResidentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1000);
}

/** One connection that stays open, and its calls one after the other: the status of each, NaN where it was closed. */
export function openCaller(port: number, key: string) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  return {
    end: () => socket.destroy(),
    get: (path: string) =>
      new Promise<number>((resolve) => {
        let received = "";
        const settle = (status: number) => {
          socket.off("data", hear).off("close", close);
          resolve(status);
        };
        const close = () => settle(Number.NaN);
        const hear = (chunk: Buffer) => {
          received += chunk;
          const end = received.indexOf("\r\n\r\n");
          const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0);
          if (end < 0 || Buffer.byteLength(received) < end + 4 + length) return;
          settle(Number(received.slice(9, 12)));
        };
        socket.on("data", hear).on("close", close);
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\n\r\n`);
      }),
  };
}
