/** Lets `using` and `await using` close a resource at the end of the block. */
export function closeAtEnd<Resource extends { close(): Promise<void> }>(
  resource: Resource,
): Resource & AsyncDisposable;
export function closeAtEnd<Resource extends { close(): void }>(
  resource: Resource,
): Resource & Disposable;
export function closeAtEnd(resource: { close(): unknown }) {
  const close = () => resource.close();
  return Object.assign(resource, { [Symbol.dispose]: close, [Symbol.asyncDispose]: close });
}
