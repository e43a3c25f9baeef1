ALTER TABLE "control"."run" ADD COLUMN "pid" bigint;
