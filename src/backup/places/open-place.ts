import { createCommandPlace, type PlaceCommands } from "./command-place.ts";
import type { BackupPlace } from "./place.ts";
import { openS3Folder, type S3Access } from "./s3-place.ts";

/** Opens the place of a copy. @param environment all variables of its commands. */
export const openPlace = (
  copy: { readonly id: string } & ({ readonly to: string } | PlaceCommands),
  access: () => S3Access,
  environment: Readonly<Record<string, string>>,
): BackupPlace =>
  "to" in copy
    ? openS3Folder(copy.to, access)
    : createCommandPlace(copy, { label: `the command of ${copy.id}`, environment });
