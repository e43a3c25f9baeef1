UPDATE "control"."instance" SET "backed_up_ms" = NULL;
