/** Reads the `[[notify]]` of the settings file: whom Roster tells what needs an operator. */
import { type NoticeKind, noticeKinds } from "../contract/operator-notice.ts";
import { addRule, type Static, Type } from "../contract/schema.ts";
import {
  createText,
  entryId,
  readTable,
  readTables,
  refuseUnknownSettings,
} from "./read-tables.ts";

const kinds = Object.keys(noticeKinds) as NoticeKind[];
const list = <Word extends string>(rule: string, word: Parameters<typeof Type.Array>[0]) =>
  Type.Optional(addRule(rule, Type.Unsafe<readonly Word[]>(Type.Array(word, { minItems: 1 }))));
const NotifyTable = Type.Object({
  id: entryId,
  to: Type.Optional(
    createText(
      "an address such as https://hooks.corp.example/roster or mailto:ops@corp.example",
      "^(https?://[^@#\\s]+|mailto:[^\\s@?,;<>]+@[^\\s@?,;<>]+)$",
    ),
  ),
  command: list<string>('a list such as ["/usr/local/bin/page", "roster"]', Type.String()),
  events: list<NoticeKind>(`a list of some of ${kinds.join(", ")}`, Type.Unsafe({ enum: kinds })),
});

/** Whom Roster tells: `to` an address of https or mail, or by a command that it starts. */
export type Receiver = Static<typeof NotifyTable> & { readonly events: readonly NoticeKind[] };

/** @package @throws Error that names the entry. */
export function readReceivers(value: unknown): readonly Receiver[] {
  return readTables("notify", value, (table) => {
    refuseUnknownSettings([NotifyTable], table);
    const receiver = readTable(NotifyTable, table);
    if ((receiver.to === undefined) === (receiver.command === undefined))
      throw new Error("set either to or command");
    return { ...receiver, events: receiver.events ?? kinds };
  });
}
