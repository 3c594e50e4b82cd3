import { CopyField } from "../parts/copy-field.tsx";
import { tRich, t } from "../words/translate.ts";

/** Examples of posting and of receiving events, to copy. */
export function BotExamples({ token }: { token: string | null }) {
  const visibleToken = token || "$SNUG_TOKEN";
  const { origin } = location;
  const curl = `curl ${origin}/api/rooms/$ROOM_ID/messages \\
  -H "Authorization: Bearer ${visibleToken}" \\
  -H "Content-Type: application/json" \\
  -d '{"content": "${t("bots.sample")}"}'`;
  const socket = `const socket = new WebSocket("${origin.replace(/^http/, "ws")}/ws/chat", {
  headers: { Authorization: "Bearer ${visibleToken}" },
});
socket.onopen = () => socket.send(JSON.stringify({ type: "join", room_id: ROOM_ID }));
socket.onmessage = ({ data }) => console.log(JSON.parse(data));`;
  return (
    <details>
      <summary>{t("bots.how")}</summary>
      <div class="form">
        <CopyField label={t("bots.post")} value={curl} multiline />
        <CopyField label={t("bots.receive")} value={socket} multiline />
        <p class="muted small">
          {tRich("bots.docs", {
            link: (inner) => (
              <a href="/api/docs" target="_blank" rel="noopener">
                {inner}
              </a>
            ),
            code: (inner) => <code>{inner}</code>,
          })}
        </p>
      </div>
    </details>
  );
}
