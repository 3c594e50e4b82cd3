import type { FailedJob } from "../../../../src/wire/admin.ts";
import { store } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { Listing } from "../../parts/listing.tsx";
import { fullTimeOf } from "../../parts/times.ts";
import { usePages } from "../../parts/use-pages.ts";
import { say } from "./say.ts";

/** What jobs are called where people read it. */
const KINDS: Record<string, string> = {
  invite_mail: "Mail with a signup link",
  reset_mail: "Mail with a link for a new password",
  added_mail: "Mail about being added to a room",
  link_preview: "Preview of a link",
};

/** What the service tried until it gave up. */
export function Jobs() {
  const pages = usePages<FailedJob>("/api/admin/jobs", { state: "failed" });
  const retry = async (job: FailedJob) => {
    await store.api.post(`/api/admin/jobs/${job.id}/retry`);
    pages.replace((one) => one.id === job.id, null);
  };
  return (
    <>
      <h2>Failed jobs</h2>
      <p class="muted small">
        Mails, previews and deliveries are tried several times. What did not succeed stays here for
        30 days.
      </p>
      <Listing
        label="Failed jobs"
        pages={pages}
        empty="Nothing has failed."
        keyOf={(job) => job.id}
      >
        {(job) => (
          <>
            <div class="grow">
              <p>
                <b>{KINDS[job.kind] ?? job.kind}</b>
              </p>
              <p class="small words">{job.last_error}</p>
              <p class="muted small">
                {job.attempts} {job.attempts === 1 ? "try" : "tries"}, the last one{" "}
                {fullTimeOf(job.failed_at)}
              </p>
            </div>
            <Button onClick={() => say(retry(job), "It is tried again now.")}>Try again</Button>
          </>
        )}
      </Listing>
    </>
  );
}
