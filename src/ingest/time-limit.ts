/**
 * Starts a time limit.
 *
 * @package
 * @param fault the reason of the signal when the time is over.
 * @returns `end` also aborts the signal, which stops whatever still runs under the limit.
 */
export function startTimeLimit(
  milliseconds: number,
  fault: Error,
): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(fault), milliseconds);
  const end = (): void => {
    clearTimeout(timer);
    controller.abort(fault);
  };
  return { signal: controller.signal, end };
}
