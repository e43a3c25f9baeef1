/** What operators are told of, and its label. */
export const noticeKinds = {
  backup: "Backup",
  disk: "Disk",
  damage: "Damage",
  source: "Source",
  repository: "Repository",
  run: "Run",
  certificate: "Certificate",
  delivery: "Delivery",
} as const;

export type NoticeKind = keyof typeof noticeKinds;

/** Something that lasts. The subject stays the same as long as it does. */
export interface OperatorNotice {
  readonly kind: NoticeKind;
  readonly subject: string;
  readonly text: string;
}
