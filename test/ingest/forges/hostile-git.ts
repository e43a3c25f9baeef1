/** What a forge's git may answer to wear its askers out: nothing, a byte now and then, or a pack without an end. */
import { createServer, type Socket } from "node:net";

export type HostileGit = "silent" | "trickling" | "endless" | "endless refs";

const sha = "0123456789abcdef0123456789abcdef01234567";

function packet(data: string | Buffer): Buffer {
  const bytes = Buffer.from(data);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}

const advertisement = Buffer.concat([
  ...[packet("# service=git-upload-pack\n"), Buffer.from("0000")],
  packet(`${sha} HEAD\0side-band-64k ofs-delta symref=HEAD:refs/heads/main agent=hostile\n`),
  ...[packet(`${sha} refs/heads/main\n`), Buffer.from("0000")],
]);

/** One blob of 2^60 bytes, which is told to follow uncompressed. */
const packStart = Buffer.concat([
  Buffer.from("PACK\0\0\0\x02\0\0\0\x01", "latin1"),
  Buffer.from([0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x78, 0x01]),
]);
const stored = Buffer.concat([Buffer.from([0, 0xff, 0xff, 0, 0]), Buffer.alloc(65_535, "x")]);

/** Passes what is no git on to `api`, if there is one. */
export function serveHostileGit(how: HostileGit, api?: (path: string) => unknown) {
  const sockets = new Set<Socket>();
  const state = { sent: 0, asked: 0 };
  const endless = async (socket: Socket, piece: Buffer) => {
    while (!socket.destroyed) {
      state.sent += piece.length;
      if (!socket.write(piece))
        await new Promise((go) => socket.once("drain", go).once("close", go));
    }
  };
  const answer = async (socket: Socket, path: string) => {
    if (!path.includes(".git/")) {
      const body = JSON.stringify(api?.(path) ?? []);
      const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n`;
      socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      return;
    }
    state.asked += 1;
    if (how === "silent") return;
    const service = path.includes("info/refs") ? "advertisement" : "result";
    const type = `Content-Type: application/x-git-upload-pack-${service}`;
    socket.write(`HTTP/1.1 200 OK\r\n${type}\r\nConnection: close\r\n\r\n`);
    if (how === "endless refs") {
      const ref = packet(`${sha} refs/heads/${"x".repeat(900)}\n`);
      socket.write(advertisement.subarray(0, -4));
      await endless(socket, Buffer.concat(Array.from({ length: 60 }, () => ref)));
    } else if (service === "advertisement") socket.end(advertisement);
    else if (how === "trickling") {
      socket.write(packet("NAK\n"));
      for (; !socket.destroyed; await Bun.sleep(200)) socket.write(packet("\x02."));
    } else {
      socket.write(packet("NAK\n"));
      socket.write(packet(Buffer.concat([Buffer.from([1]), packStart])));
      const half = stored.length >> 1;
      const [a, b] = [stored.subarray(0, half), stored.subarray(half)];
      await endless(
        socket,
        Buffer.concat([a, b].map((part) => packet(Buffer.concat([Buffer.from([1]), part])))),
      );
    }
  };
  const server = createServer((socket) => {
    sockets.add(socket.setMaxListeners(0));
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    let text = "";
    socket.on("data", (bytes) => {
      if (text.includes("\r\n\r\n")) return;
      text += bytes.toString("latin1");
      const [, path] = /^\w+ (\S+)/.exec(text) ?? [];
      if (path && text.includes("\r\n\r\n")) void answer(socket, path);
    });
  });
  return new Promise<{
    readonly url: string;
    readonly state: Readonly<typeof state>;
    [Symbol.asyncDispose](): Promise<void>;
  }>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      resolve({
        url: `http://127.0.0.1:${port}`,
        state,
        [Symbol.asyncDispose]: async () => {
          for (const socket of sockets) socket.destroy();
          server.close();
        },
      });
    });
  });
}
