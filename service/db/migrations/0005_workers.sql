CREATE TABLE "workers" (
	"owner" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"beats_at" timestamp with time zone NOT NULL,
	"steady_since" timestamp with time zone NOT NULL
);
