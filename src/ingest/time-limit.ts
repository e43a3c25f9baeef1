/** @package @param fault the signal's reason after the time limit. @returns a signal, and `end`, which also aborts it. */
export function startTimeLimit(milliseconds: number, fault: Error) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(fault), milliseconds);
  const end = (): void => {
    clearTimeout(timer);
    controller.abort(fault);
  };
  return { signal: controller.signal, end };
}
