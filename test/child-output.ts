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
