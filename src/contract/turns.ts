/** Runs tasks with the same name one after the other. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work);
    const done = turn.catch(() => undefined);
    last.set(name, done);
    await done;
    if (last.get(name) === done) last.delete(name);
    return turn;
  };
}
