import { to } from "../../both-sides/address.ts";
import { getJson, send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice, LoadState } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { useTexts } from "../texts/use-texts.ts";

const loadSessions = async (signal: AbortSignal) => ({
  sessions: (await getJson("GET /sessions", signal)).data,
  now: Date.now(),
});

/** Where the person is signed in. Each session can be ended, but for the present one: that is what signing out does. */
export function OwnSessions() {
  const { account: words, show } = useTexts();
  const loading = useLoad(loadSessions);
  const { loaded, reload } = loading;
  const { submit, error } = useSubmit();
  const sessions = loaded.data?.sessions ?? [];
  const end = async (work: Promise<unknown>, done: string) => {
    await submit(async () => {
      await work;
      announce(done);
      // The button that had the focus disappears.
      document.getElementById("sessions")?.focus();
    });
    reload();
  };
  return (
    <section className="card" aria-labelledby="sessions">
      <h2 id="sessions" tabIndex={-1}>
        {words.sessions}
      </h2>
      <p className="quiet">{words.sessionsWhat}</p>
      {error !== null && <ErrorNotice error={error} />}
      <LoadState {...loading} />
      <ul className="own-sessions">
        {sessions.map(({ session_id, browser, via, started_at, last_seen_at, is_current }) => {
          const name = browser ?? words.unknownBrowser;
          const since = words.since(show.time(Date.parse(started_at), "minute"));
          const how = { password: "", link: `, ${words.viaLink}`, openid: `, ${words.viaOpenid}` }[via];
          const seen = words.lastSeen(show.age((loaded.data?.now ?? 0) - Date.parse(last_seen_at)));
          return (
            <li key={session_id} className="row apart gap-4">
              <div>
                <strong>{name}</strong> {is_current && <span className="badge">{words.thisOne}</span>}
                <p className="hint">
                  {since}
                  {how}
                  {!is_current && ` · ${seen}`}
                </p>
              </div>
              {!is_current && (
                <Button
                  look="small"
                  text={words.end}
                  aria-label={words.endWhich(name, since)}
                  onClick={() => end(send(to("DELETE /sessions/{session_id}", { session_id })), words.sessionEnded)}
                />
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && (
        <Button
          look="own-width"
          text={words.endOthers}
          onClick={() => end(send("POST /sessions/end-others"), words.othersEnded)}
        />
      )}
    </section>
  );
}
