-- People are found by parts of their names, too: what follows from the keys is made again.
UPDATE "pool"."findable" SET "score" = NULL, "names" = NULL, "exact_keys" = NULL;
