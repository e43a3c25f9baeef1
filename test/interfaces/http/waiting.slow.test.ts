/** Whoever waits for an answer gets it, however long a connection may be idle. */
import { expect, test } from "bun:test";
import { connect } from "node:net";
import pino from "pino";
import { createListener } from "../../../src/interfaces/http/socket/listener.ts";

/** Longer than an idle connection is kept. */
const waitMs = 15_000;

test("an answer that takes longer than a connection may be idle is given, and then the connection ends", async () => {
  const listener = createListener(
    async () => {
      await Bun.sleep(waitMs);
      return new Response("late");
    },
    { log: pino({ level: "silent" }) },
  );
  const port = listener.listen({ host: "127.0.0.1", port: 0 }) as number;
  const socket = connect(port, "127.0.0.1");
  let heard = "";
  socket.on("data", (bytes) => {
    heard += bytes;
  });
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await closed;
  expect(heard).toContain("late");
  await listener.close();
}, 300_000);
