-- Each follower's row holds their own last reply from now on.
UPDATE "thread_follows" f SET
  "read_seq" = greatest(f."read_seq", own."seq"::bigint), "replied_seq" = own."seq"::bigint
FROM "threads" t CROSS JOIN LATERAL jsonb_each_text(t."replied_seqs") AS own("user_id", "seq")
WHERE f."thread_id" = t."message_id" AND f."user_id" = own."user_id"::uuid
  AND own."seq"::bigint > f."replied_seq";--> statement-breakpoint
ALTER TABLE "threads" DROP COLUMN "replied_seqs";
