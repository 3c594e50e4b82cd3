import { CircleCheck } from "lucide";
import type { FailedJob } from "../../../src/wire/admin.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Listing } from "../parts/listing.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { formatAgo } from "../parts/times.ts";
import { usePages } from "../session/use-pages.ts";
import { reportOutcome } from "../session/toasts.ts";
import { t, tIfKnown } from "../words/translate.ts";

/** The label of a job. Housekeeping jobs share a label that includes their kind. */
export function describeJob(kind: string): string {
  return tIfKnown(`jobs.${kind}`, {}) ?? t("jobs.other", { kind });
}

/** Jobs that failed for good. */
export function Jobs() {
  const pages = usePages("GET /api/admin/jobs", { query: { state: "failed" } });
  const retry = async (job: FailedJob) => {
    await store.call("POST /api/admin/jobs/:id/retry", { params: { id: job.id } });
    pages.replace((item) => item.id === job.id, null);
  };
  return (
    <>
      <h2 class="not-on-phone">{t("admin.jobs")}</h2>
      <p class="muted small">{t("jobs.text")}</p>
      <Listing
        label={t("admin.jobs")}
        pages={pages}
        empty={<Empty icon={CircleCheck} title={t("jobs.none")} text={t("jobs.none-text")} />}
        keyOf={(job) => job.id}
      >
        {(job) => (
          <>
            <div class="grow">
              <p class="strong">{describeJob(job.kind)}</p>
              <p class="small words">{job.last_error}</p>
              <p class="muted small">
                <TimeAgo at={job.failed_at}>
                  {t("jobs.attempts", { count: job.attempts, when: formatAgo(job.failed_at) })}
                </TimeAgo>
              </p>
            </div>
            <Button onClick={() => reportOutcome(retry(job), () => t("jobs.retried"))}>
              {t("try-again")}
            </Button>
          </>
        )}
      </Listing>
    </>
  );
}
