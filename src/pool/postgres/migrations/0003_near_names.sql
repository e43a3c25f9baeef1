-- People are found by all their names, and a whole name by a key: what follows from the keys is made again.
UPDATE "pool"."findable" SET "score" = NULL, "names" = NULL, "exact_keys" = NULL;
