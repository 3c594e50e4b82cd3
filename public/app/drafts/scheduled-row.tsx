import { CalendarClock, CircleAlert, Copy, Pencil, SendHorizontal, Trash2 } from "lucide";
import type { Scheduled } from "../../../src/wire/scheduled-messages.ts";
import { ApiError } from "../connection/api.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { Entry } from "../parts/entry.tsx";
import { Icon } from "../parts/icon.tsx";
import { timeOf } from "../parts/times.ts";
import { whenAhead } from "../parts/times-ahead.ts";
import { copyText } from "../session/copy-text.ts";
import { describePlace } from "../session/describe-kept.ts";
import { keeping } from "../session/kept-lists.ts";
import { overlay } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { reportOutcome, showError, showToast } from "../session/toasts.ts";
import { t } from "../words/translate.ts";
import { currentZone } from "./plan-message.ts";
import { describeFailure, nextStepOf } from "./describe-failure.ts";

/** A scheduled message with its actions; for a failed one also the reason and the next step. */
export function ScheduledRow({ scheduled }: { scheduled: Scheduled }) {
  const { room_id, room, content, image, file, send_at, state, zone } = scheduled;
  const isFailed = state === "failed";
  const edit = () => {
    overlay.value = { name: "scheduled", scheduled };
  };
  const text = content || (file?.name ?? image?.alt ?? t("pin.no-text"));
  return (
    <li>
      <Entry
        href={null}
        mark={<Icon of={isFailed ? CircleAlert : CalendarClock} />}
        title={describePlace(room_id, room)}
        at={send_at}
        when={whenAhead(new Date(send_at))}
        hint={zone === currentZone() ? null : whenThere(send_at, zone)}
        text={text}
      >
        {isFailed && <span class="entry-problem">{describeFailure(scheduled)}</span>}
        {isFailed && (
          <span class="actions">
            <Button onClick={() => copyText(content ?? "")}>{t("copy-value")}</Button>
            <NextButton scheduled={scheduled} onEdit={edit} />
          </span>
        )}
      </Entry>
      <span class="entry-actions">
        {!isFailed && <IconButton icon={Pencil} label={t("scheduled.edit")} onClick={edit} />}
        {!isFailed && (
          <IconButton
            icon={SendHorizontal}
            label={t("scheduled.now")}
            onClick={() => sendNow(scheduled)}
          />
        )}
        {!isFailed && (
          <IconButton
            icon={Copy}
            label={t("message.copy")}
            onClick={() => copyText(content ?? "")}
          />
        )}
        <IconButton icon={Trash2} label={t("scheduled.delete")} onClick={() => remove(scheduled)} />
      </span>
    </li>
  );
}

/** "9:00 in Lisbon": it was scheduled in another time zone than this browser's. */
function whenThere(at: string, zone: string): string {
  const city = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
  try {
    return t("scheduled.there", { time: timeOf(at, zone), city });
  } catch {
    // The browser does not know the zone.
    return city;
  }
}

/** The actions of a message that was not sent. */
function NextButton({ scheduled, onEdit }: { scheduled: Scheduled; onEdit(): void }) {
  const step = nextStepOf(scheduled);
  if (step === "send") {
    return <Button onClick={() => sendNow(scheduled)}>{t("scheduled.now")}</Button>;
  }
  if (step === "confirm") {
    return (
      <>
        <Button onClick={() => sendNow(scheduled)}>{t("scheduled.send-anyway")}</Button>
        <Button onClick={onEdit}>{t("scheduled.edit")}</Button>
      </>
    );
  }
  return (
    <Button onClick={onEdit}>{t(step === "move" ? "scheduled.choose" : "scheduled.edit")}</Button>
  );
}

function sendNow({ id }: Scheduled): void {
  const call = store.call("POST /api/scheduled/:id/send-now", { params: { id } });
  const done =
    keeping.value?.scheduled.change(
      id,
      undefined,
      call.then(() => null),
    ) ?? call;
  reportOutcome(done, () => t("scheduled.is-sent"));
}

/** Deletes the message; undo schedules it again. */
function remove(scheduled: Scheduled): void {
  const { id } = scheduled;
  const call = store.call("DELETE /api/scheduled/:id", { params: { id } });
  const done =
    keeping.value?.scheduled.change(
      id,
      null,
      call.then(() => null),
    ) ?? call;
  const isAhead = Date.parse(scheduled.send_at) > Date.now();
  done.then(
    () => showToast(t("scheduled.is-deleted"), isAhead ? () => restore(scheduled) : undefined),
    showError,
  );
}

function restore(scheduled: Scheduled): void {
  const { room_id, thread_id, quote_id, content, image, file, group_id, send_at, zone } = scheduled;
  const body = {
    room_id,
    thread_id,
    content: content ?? "",
    group_id,
    send_at,
    zone,
    ...(image && { image_id: image.id, image_alt: image.alt }),
    ...(file && { file_id: file.id }),
  };
  const plan = (quote: string | null) =>
    store.call("POST /api/scheduled", { body: { ...body, quote_id: quote } });
  plan(quote_id)
    .catch((error: unknown) => {
      // The message that it quoted is gone: it would have been sent without the quote.
      if (error instanceof ApiError && error.code === "unknown_quote") return plan(null);
      throw error;
    })
    .then((again) => keeping.value?.scheduled.hear(again.id, again), showError);
}
