/** Gives property tests the seed of all drawn tests. By itself fast-check draws another one in each run. */
import fc from "fast-check";
import { rounds } from "./long.ts";
import { readSeed } from "./random.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: readSeed(), numRuns: rounds(100) });
