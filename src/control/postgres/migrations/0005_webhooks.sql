CREATE TABLE "control"."webhook_target" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"events" text COLLATE "C" NOT NULL,
	"is_local" boolean NOT NULL,
	"told" text COLLATE "C" NOT NULL,
	"fault" text COLLATE "C"
);
CREATE TABLE "control"."webhook_delivery" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"target_id" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"created_ms" bigint NOT NULL,
	"due_ms" bigint,
	"attempts" integer NOT NULL
);
CREATE INDEX "webhook_delivery_due" ON "control"."webhook_delivery" USING btree ("target_id","due_ms");
