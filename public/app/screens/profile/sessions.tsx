import { useEffect, useState } from "preact/hooks";
import type { Page, Session } from "../../../../src/wire/models.ts";
import { store, toast } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/field.tsx";
import { fullTimeOf } from "../../parts/times.ts";
import { useAction } from "../../parts/use-action.ts";

/** Where one is signed in, and the means to end it. */
export function Sessions() {
  const [sessions, setSessions] = useState<Session[]>([]);
  const action = useAction();
  const load = () =>
    action.run(async () =>
      setSessions((await store.api.get<Page<Session>>("/api/auth/me/sessions")).items),
    );
  useEffect(() => void load(), []);
  const end = (id: string) =>
    action.run(async () => {
      await store.api.delete(`/api/auth/me/sessions/${id}`);
      await load();
      toast("Signed out there.");
    });
  return (
    <section class="card">
      <h2>Where you are signed in</h2>
      <ul class="list">
        {sessions.map((session) => (
          <li key={session.id}>
            <div class="grow">
              <p class="truncate">{browserName(session.user_agent)}</p>
              <p class="muted small">
                {session.is_current
                  ? "This browser"
                  : `Last seen ${fullTimeOf(session.last_seen_at)}`}
              </p>
            </div>
            {!session.is_current && <Button onClick={() => void end(session.id)}>Sign out</Button>}
          </li>
        ))}
      </ul>
      {action.error && <ErrorText>{action.error}</ErrorText>}
    </section>
  );
}

/** Enough to tell one's own browsers apart. */
function browserName(userAgent: string | null): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent ?? "")?.[1];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent ?? "")?.[1];
  const name = browser === "Edg" ? "Edge" : browser === "OPR" ? "Opera" : browser;
  if (!name && !system) return userAgent ?? "An unknown browser";
  return [name, system?.replace("Mac OS X", "macOS")].filter(Boolean).join(" on ");
}
