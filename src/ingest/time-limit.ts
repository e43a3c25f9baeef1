/** @package @param fault the signal's reason once time is over. @returns `end` also aborts what still runs under it. */
export function startTimeLimit(milliseconds: number, fault: Error) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(fault), milliseconds);
  const end = (): void => {
    clearTimeout(timer);
    controller.abort(fault);
  };
  return { signal: controller.signal, end };
}
