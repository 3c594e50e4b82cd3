import { whenAhead } from "../parts/times.ts";
import { saveMessage } from "../session/save-message.ts";
import { store } from "../session/store.ts";
import { showError, showToast } from "../session/toasts.ts";
import { readRemindCommand } from "../state/drafts/remind-command.ts";
import { t } from "../words/translate.ts";

/**
 * Runs `/remind me tomorrow 9:00 text`: a message to myself that is saved with a reminder.
 * @returns false if it failed: the text stays, and a toast says what is missing
 */
export async function remindMe(command: string): Promise<boolean> {
  const read = readRemindCommand(command, new Date());
  if ("problem" in read) {
    showToast(t(`remind.${read.problem}`));
    return false;
  }
  try {
    const notes = await store.call("POST /api/direct", { body: { user_ids: [] } });
    const input = { params: { id: notes.id }, body: { content: read.text } };
    const message = await store.call("POST /api/rooms/:id/messages", input);
    await saveMessage(message.id, { remind_at: read.at.toISOString() });
  } catch (error) {
    showError(error);
    return false;
  }
  showToast(t("later.remind-done", { when: whenAhead(read.at) }));
  return true;
}
