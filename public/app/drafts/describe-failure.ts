import type { Scheduled } from "../../../src/wire/scheduled-messages.ts";
import { dayAhead } from "../parts/times.ts";
import { labelPlace } from "../session/describe-kept.ts";
import { t } from "../words/translate.ts";

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

export const nextStepOf = ({ reason }: Scheduled): NextStep => STEPS[reason ?? ""] ?? "move";
