CREATE TABLE "creation_rates" (
	"owner_id" text,
	"per_ms" integer,
	"slice_ends" timestamp(3) with time zone[] NOT NULL,
	"amounts" integer[] NOT NULL,
	CONSTRAINT "creation_rates_pkey" PRIMARY KEY("owner_id","per_ms"),
	CONSTRAINT "creation_rates_slices" CHECK (cardinality("slice_ends") = cardinality("amounts"))
);
