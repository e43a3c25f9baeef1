ALTER TABLE "pool"."decision" ADD "undone_at" text COLLATE "C";
