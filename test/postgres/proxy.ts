import { connect, createServer, type Socket } from "node:net";

/** What a proxy before a database does: leads to one server, and ends the connections to the one before. */
export async function startProxy(first: number) {
  let target: number | undefined = first;
  const open = new Set<Socket>();
  const server = createServer((given) => {
    if (target === undefined) {
      given.destroy();
      return;
    }
    const taken = connect(target, "127.0.0.1");
    for (const socket of [given, taken]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        given.destroy();
        taken.destroy();
      });
    }
    given.pipe(taken).pipe(given);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    /** Nowhere without a port: connections are taken, and closed at once. */
    lead: (to?: number) => {
      target = to;
      end();
    },
    close: () => {
      end();
      server.close();
    },
  };
}
