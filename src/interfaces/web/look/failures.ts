/**
 * Headings for refused actions, such as "The account was not made". The key is the name of the action, such as `create`. A key
 * such as `/admin/accounts create` is for the action on that page only.
 */
export const failures: Readonly<Record<string, string>> = {
  "sign-in": "You are not signed in",
  provider: "You are not signed in",
  "sign-up": "The account was not made",
  "sign-out": "You are still signed in",
  redeem: "The link was not used",
  allow: "The assistant was not connected",
  deny: "The assistant got no answer",
  disconnect: "The assistant is still connected",
  create: "The key was not made",
  regenerate: "The key was not replaced",
  password: "The password was not changed",
  end: "The session was not ended",
  "end-others": "The other sessions were not ended",
  "/admin/accounts create": "The account was not made",
  plan: "The plan and limits were not changed",
  disable: "The account was not disabled",
  enable: "The account was not enabled",
  invitation: "The invitation was not made",
  reset: "The link was not made",
  stop: "The run was not stopped",
  known: "Nothing was started",
  recount: "Nothing was started",
  folder: "The folder was not read",
  refresh: "The source is not read",
  check: "The check failed",
  save: "The source was not saved",
  hook: "The push hook was not changed",
  "remove-source": "The source was not removed",
  "back-up": "No backup was made",
  "stop-backup": "No backup was stopped",
  "download-backup": "No archive was downloaded",
  preview: "Nothing was looked at",
  rescore: "The scores were not changed",
  again: "Nothing was looked for",
  merge: "The pair was not joined",
  split: "The person was not split",
  "/admin/identity split": "The pair was not refused",
  undo: "The decision was not undone",
  rejoin: "The two were not joined",
  look: "Nothing was looked for",
  forget: "The person was not forgotten",
  add: "The person is not on the list",
  "add-list": "The list was not made",
  review: "The change was not looked at",
  note: "The note was not saved",
  remove: "The person is still on the list",
  "remove-list": "The list was not removed",
  "save-search": "The search was not saved",
  "remove-search": "The search was not removed",
};

/** @returns the heading for a refused action. @param path the path of the page that has the form. */
export function describeFailure(path: string, act: string): string {
  const failure = failures[`${path} ${act}`] ?? failures[act];
  return failure ?? (path === "/docs" ? "The call was not made" : "Nothing was changed");
}
