DROP INDEX "thread_follows_thread";--> statement-breakpoint
CREATE INDEX "thread_follows_thread" ON "thread_follows" USING btree ("thread_id","user_id");