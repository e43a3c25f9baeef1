import { expect } from "bun:test";
import { expectDone } from "../../desk.ts";
import type { Running } from "../machine.ts";
import { authors, inventMirrors, makeKey, searchPeople, startServer } from "../possessions.ts";
import type { Reading } from "../reading.ts";

let server: Running;

export const operation: Reading = {
  document: "docs/operation.md",
  async prepare(machine) {
    const publish = [
      "echo a tarball >roster-0.1.0-linux-x64.tar.gz",
      "sha256sum roster-* >SHA256SUMS",
      "ssh-keygen -q -t ed25519 -N '' -C '' -f key",
      "ssh-keygen -q -Y sign -f key -n roster-release SHA256SUMS",
      'echo "roster $(cat key.pub)" >signers',
      "mkdir -p /mnt/backups",
      "export ROSTER_DATA=/var/lib/roster",
    ];
    for (const command of publish) expectDone(await machine.paste(command));
    inventMirrors(machine);
    expectDone(await machine.paste("roster ingest git ~/mirrors"));
    await makeKey(machine);
    server = await startServer(machine, "roster serve --metrics-listen 127.0.0.1:9171");
    // Another machine, reached as one does.
    expectDone(await machine.paste('ssh() { mkdir -p ~/"$1" && (cd ~/"$1" && sh -c "$2"); }'));
  },
  sayings: [
    {
      words: "Verify before you install",
      after: "ssh-keygen -Y verify",
      async see(machine, { stdout }, command) {
        expect(stdout).toContain("roster-0.1.0-linux-x64.tar.gz: OK");
        for (const changed of ["roster-0.1.0-linux-x64.tar.gz", "SHA256SUMS"]) {
          expectDone(await machine.paste(`cp ${changed} kept && echo >>${changed}`));
          expect((await machine.paste(command)).exitCode).not.toBe(0);
          expectDone(await machine.paste(`mv kept ${changed}`));
        }
      },
    },
    {
      words: "also while a server runs on the folder",
      async see(machine, { stdout }) {
        expect(stdout).toMatch(/^people +5$/m);
        const health = await machine.paste("curl -sf http://127.0.0.1:7171/readyz");
        expect(JSON.parse(expectDone(health)).backup.ageSeconds).toBeGreaterThanOrEqual(0);
      },
    },
    {
      words: "`roster serve --metrics-listen 127.0.0.1:9171` offers `/metrics`",
      after: "roster backup /mnt/backups/roster.tar.zst",
      async see(machine) {
        const metrics = await machine.paste("curl -sf http://127.0.0.1:9171/metrics");
        expect(expectDone(metrics)).toMatch(/^roster_backup_age_seconds /m);
      },
    },
    {
      words: "`tar --zstd -tvf` lists its members: `manifest.json`",
      after: "roster backup /mnt/backups/roster.tar.zst",
      async see(machine) {
        const listed = await machine.paste("tar --zstd -tvf /mnt/backups/roster.tar.zst");
        for (const member of ["manifest.json", "control.db", "pool.db", "ingest.db"]) {
          expect(expectDone(listed)).toContain(member);
        }
      },
    },
    {
      words: "`--verify` unpacks into a private temporary folder, compares checksums and counts",
      after: "roster backup - |",
      async see(machine) {
        const there = "backup.example.com/roster.tar.zst";
        const verified = await machine.paste(`roster backup --verify ${there}`);
        expect(expectDone(verified)).toContain("can be restored");
        expectDone(await machine.paste(`head -c 9000 ${there} >cut.tar.zst`));
        expect((await machine.paste("roster backup --verify cut.tar.zst")).exitCode).not.toBe(0);
      },
    },
    {
      words: "can it be restored?",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^verdict +can be restored$/m);
      },
    },
    {
      words: "Stop the server first: a folder in use is refused.",
      before: "roster restore",
      async see(machine, _, command) {
        const refused = await machine.paste(command);
        expect(refused.exitCode).not.toBe(0);
        expect(refused.stderr).toContain("is served");
        await server.stop();
        expectDone(await machine.paste("roster forget ben@example.com"));
      },
    },
    {
      words: "people who were erased stay erased",
      after: "roster restore",
      async see(machine) {
        const left = authors.filter((login) => login !== "ben-f871a7");
        expect(await searchPeople(machine, "Worldwide")).toEqual(left);
        expectDone(await machine.paste("ls -d /var/lib/roster/before-restore-*"));
      },
    },
    {
      words: "exit code 0 when nothing is wrong",
      async see(machine, { stdout }) {
        expect(stdout).not.toMatch(/^fault/m);
        const hidden = "mv /var/lib/roster/pool.db /mnt/pool.db";
        const checked = await machine.paste(`${hidden} && roster doctor`);
        expect(checked.exitCode).not.toBe(0);
        expect(checked.stdout).toContain("pool.db");
        expectDone(await machine.paste("mv /mnt/pool.db /var/lib/roster/pool.db"));
      },
    },
    {
      words: "or ledger, forges",
      async see(machine) {
        for (const what of ["ledger", "forges"]) {
          const { exitCode, stderr } = await machine.paste(`roster doctor --rebuild ${what}`);
          expect({ what, exitCode, stderr }).toEqual({ what, exitCode: 0, stderr });
        }
      },
    },
    {
      words: "accept the loss and continue",
      see(_, { stdout }) {
        expect(stdout).toContain("Nothing is lost.");
      },
    },
  ],
};
