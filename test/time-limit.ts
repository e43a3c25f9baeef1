/**
 * Gives a test that is run by `bun test FILE` the limit that package.json gives to those of `bun run test`. It is there for what
 * hangs, not for what is slow: a busy machine may take its time.
 */
import { setDefaultTimeout } from "bun:test";

setDefaultTimeout(300_000);
