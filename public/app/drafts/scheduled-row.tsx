import { CircleAlert, Copy, Pencil, SendHorizontal, Trash2 } from "lucide";
import type { Scheduled } from "../../../src/wire/scheduled-messages.ts";
import { ApiError } from "../connection/api.ts";
import { PlaceMark, describePlace, labelPlace } from "../session/conversation-label.tsx";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { ListRow, type RowAction } from "../parts/list-row.tsx";
import { TextLine } from "../parts/markdown/text-line.tsx";
import { timeOf, whenAhead, dayAhead } from "../parts/times.ts";
import { copyText } from "../session/copy-text.ts";
import { openDialog } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { withScheduled } from "../state/personal/personal.ts";
import { reportOutcome, showError, showToast } from "../session/toasts.ts";
import { t } from "../words/translate.ts";
import { currentZone } from "../session/time-zone.ts";
import { describeUpload, UploadPreview } from "./upload-preview.tsx";

/**
 * A scheduled message; a click opens it for editing. A failed one shows the reason and the next
 * step.
 */
export function ScheduledRow({ scheduled }: { scheduled: Scheduled }) {
  const { room_id, room, content, image, file, send_at, state, zone } = scheduled;
  const isFailed = state === "failed";
  const edit = () => openDialog({ name: "scheduled", scheduled });
  return (
    <li>
      <ListRow
        href={null}
        onOpen={isFailed ? undefined : edit}
        mark={<PlaceMark roomId={room_id} />}
        title={describePlace(room_id, room)}
        at={send_at}
        when={whenAhead(new Date(send_at))}
        whenHint={zone === currentZone() ? undefined : whenThere(send_at, zone)}
        text={
          content ? <TextLine text={content} /> : (describeUpload(file, image) ?? t("pin.no-text"))
        }
        actions={scheduledActions(scheduled, edit)}
        footer={
          isFailed && (
            <div class="buttons">
              <Button onClick={() => copyText(content ?? "")}>{t("copy-value")}</Button>
              <NextButton scheduled={scheduled} onEdit={edit} />
            </div>
          )
        }
      >
        <UploadPreview content={content} file={file} image={image} />
        {isFailed && (
          <span class="row-problem danger">
            <Icon of={CircleAlert} />
            {describeFailure(scheduled)}
          </span>
        )}
      </ListRow>
    </li>
  );
}

function scheduledActions(scheduled: Scheduled, edit: () => void): RowAction[] {
  const removal = {
    icon: Trash2,
    label: t("scheduled.delete"),
    shortcut: "Delete",
    danger: true,
    onSelect: () => remove(scheduled),
  };
  if (scheduled.state === "failed") return [removal];
  const copy = () => copyText(scheduled.content ?? "");
  const send = () => sendNow(scheduled);
  return [
    { icon: Pencil, label: t("scheduled.edit"), shortcut: "E", onSelect: edit },
    { icon: SendHorizontal, label: t("scheduled.now"), onSelect: send },
    { icon: Copy, label: t("message.copy"), shortcut: "C", onSelect: copy },
    removal,
  ];
}

/** "9:00 in Lisbon": for a message scheduled in a time zone other than this browser's. */
function whenThere(at: string, zone: string): string {
  const city = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
  try {
    return t("scheduled.there", { time: timeOf(at, zone), city });
  } catch {
    // This browser does not support the zone.
    return city;
  }
}

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
  reportOutcome(call, () => t("scheduled.is-sent"));
}

/** Deletes the message; undo schedules it again. */
function remove(scheduled: Scheduled): void {
  const { id } = scheduled;
  const done = store.change(
    (state) => withScheduled(state, id, null),
    () => store.call("DELETE /api/scheduled/:id", { params: { id } }),
  );
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
      // The quoted message is gone: schedule it without the quote, as it would have been sent.
      if (error instanceof ApiError && error.code === "unknown_quote") return plan(null);
      throw error;
    })
    .catch(showError);
}

type Failed = Pick<Scheduled, "reason" | "room_id" | "room" | "ended_at" | "send_at">;

/** Why a scheduled message was not sent, and when it failed. */
export function describeFailure(scheduled: Failed): string {
  const { reason, room_id, room, ended_at, send_at } = scheduled;
  const place = labelPlace(room_id, room);
  const day = dayAhead(new Date(ended_at ?? send_at));
  if (reason === "room_archived") return t("scheduled.archived", { place, day });
  if (reason === "not_a_member" || reason === "room_not_found") {
    return t("scheduled.not-a-member", { day });
  }
  if (reason === "too_late") return t("scheduled.too-late", { place, day });
  if (reason === "deactivated") return t("scheduled.deactivated", { day });
  if (reason === "session_ended") return t("scheduled.session-ended", { day });
  if (reason === "role_required") return t("scheduled.role-required", { place, day });
  if (reason === "unknown_thread") return t("scheduled.unknown-thread", { place, day });
  if (reason === "threads_off") return t("scheduled.threads-off", { place, day });
  if (reason === "conversation_closed") return t("scheduled.closed", { place, day });
  if (reason === "unknown_upload") return t("scheduled.unknown-upload", { day });
  if (reason === "broadcast_restricted") return t("scheduled.broadcast", { place, day });
  return t("scheduled.refused", { place, day });
}

/** The next step: send it again, confirm it first, choose another place, or edit the text. */
type NextStep = "send" | "confirm" | "move" | "edit";
const STEPS: Record<string, NextStep> = {
  too_late: "send",
  deactivated: "send",
  unknown_upload: "edit",
  broadcast_restricted: "edit",
  session_ended: "confirm",
};

const nextStepOf = ({ reason }: Scheduled): NextStep => STEPS[reason ?? ""] ?? "move";
