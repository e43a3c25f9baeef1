/** Waits for a child to end, and reads all that it has written. Both streams are read at once, since a full one blocks it. */
export async function readOutput(
  child: Bun.Subprocess<"ignore" | "pipe" | "inherit" | Blob | null, "pipe", "pipe">,
) {
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}

/** Hears each whole line that a child writes, until it ends. */
export async function followLines(
  stream: ReadableStream<Uint8Array>,
  hear: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  }
}
