/**
 * The least that an import takes: reads a file of lines, parses each and inserts it by a prepared statement. Run by
 * `scripts/bench import`: `insert-lines.ts FILE DATABASE`.
 */
import { Database } from "bun:sqlite";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

const linesPerTransaction = 100;
const [file = "", path = ""] = process.argv.slice(2);
const store = new Database(path, { create: true });
for (const pragma of ["journal_mode = WAL", "synchronous = FULL"]) store.run(`PRAGMA ${pragma}`);
store.run("CREATE TABLE person (id INTEGER PRIMARY KEY, login TEXT NOT NULL, facts TEXT NOT NULL)");
const insert = store.prepare("INSERT INTO person (login, facts) VALUES (?, ?)");
const insertAll = store.transaction((batch: readonly string[]) => {
  for (const text of batch) insert.run((JSON.parse(text) as { login: string }).login, text);
});
let batch: string[] = [];
const flush = () => {
  insertAll(batch);
  batch = [];
};
for await (const line of createInterface({ input: createReadStream(file) })) {
  batch.push(line);
  if (batch.length === linesPerTransaction) flush();
}
flush();
store.close();
