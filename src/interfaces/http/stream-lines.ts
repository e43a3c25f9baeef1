import type { PeopleLines } from "../../operations/export-people.ts";

const encoder = new TextEncoder();

/**
 * Creates a body that reads the next lines only when the client has taken the last ones, and stops reading when the client leaves.
 * A fault breaks the connection, so that the client cannot take what it has for everything.
 */
export function streamLines(
  lines: PeopleLines,
  coding: Bun.CompressionFormat | undefined,
  noteFault: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let hasLeft = false;
  const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const next = await lines.next().catch((error: unknown) => {
          noteFault(error);
          controller.error();
        });
        if (!next || hasLeft) return;
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(`${next.value.join("\n")}\n`));
      },
      cancel: async () => {
        hasLeft = true;
        await lines.return();
      },
    },
    { highWaterMark: 0 },
  );
  return coding ? bytes.pipeThrough(new CompressionStream(coding)) : bytes;
}
