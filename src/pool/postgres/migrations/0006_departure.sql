ALTER TABLE "pool"."developer" ADD "first_row_id" integer;
CREATE TABLE "pool"."departure" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pool"."departure_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"login_key" text COLLATE "C" NOT NULL,
	"login" text COLLATE "C" NOT NULL,
	"import_id" integer,
	"at" text COLLATE "C" NOT NULL
);
CREATE INDEX "departure_login" ON "pool"."departure" USING btree ("login_key");
CREATE INDEX "departure_import" ON "pool"."departure" USING btree ("import_id");
