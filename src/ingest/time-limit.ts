/** @package @returns a signal that is aborted with `fault` after the time limit, and `end`, which aborts it at once. */
export function startTimeLimit(milliseconds: number, fault: Error) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(fault), milliseconds);
  const end = (): void => {
    clearTimeout(timer);
    controller.abort(fault);
  };
  return { signal: controller.signal, end };
}
