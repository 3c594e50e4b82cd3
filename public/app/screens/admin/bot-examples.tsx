import { CopyField } from "../../parts/copy-field.tsx";

/** How a bot posts, and how it listens: ready to be copied. */
export function BotExamples({ token }: { token: string | null }) {
  const shown = token || "$SNUG_TOKEN";
  const { origin } = location;
  const curl = `curl ${origin}/api/rooms/$ROOM_ID/messages \\
  -H "Authorization: Bearer ${shown}" \\
  -H "Content-Type: application/json" \\
  -d '{"content": "Hello from a bot"}'`;
  const socket = `const socket = new WebSocket("${origin.replace(/^http/, "ws")}/ws/chat", {
  headers: { Authorization: "Bearer ${shown}" },
});
socket.onopen = () => socket.send(JSON.stringify({ type: "join", room_id: ROOM_ID }));
socket.onmessage = ({ data }) => console.log(JSON.parse(data));`;
  return (
    <details>
      <summary>How it calls</summary>
      <div class="form">
        <CopyField label="Post a message" value={curl} multiline />
        <CopyField label="Listen (Bun, or Node with ws)" value={socket} multiline />
        <p class="muted small">
          All that can be called is described at{" "}
          <a href="/api/docs" target="_blank" rel="noopener">
            /api/docs
          </a>
          . Rooms of the bot, with their ids: <code>GET /api/rooms</code>.
        </p>
      </div>
    </details>
  );
}
