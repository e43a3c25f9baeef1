/** @package @param fault the signal's reason after the time limit. @returns `end` also aborts work that still uses the signal. */
export function startTimeLimit(milliseconds: number, fault: Error) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(fault), milliseconds);
  const end = (): void => {
    clearTimeout(timer);
    controller.abort(fault);
  };
  return { signal: controller.signal, end };
}
