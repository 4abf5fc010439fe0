import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { StreetSetup } from "../../both-sides/contract/streets.ts";
import { pageLimit } from "../../both-sides/lists.ts";
import { frameHasPlace } from "../../both-sides/places/place-name.ts";
import type { Show } from "../../both-sides/reading/show.ts";
import { getPage } from "../api/pages.ts";
import { getJson, PortalError, send } from "../api/request.ts";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { Copyable } from "../common/elements/copyable.tsx";
import { ErrorNotice, LoadState, Notice } from "../common/loading/notice.tsx";
import { useAnswer, useLoad } from "../common/loading/use-load.ts";
import { useLeaveGuard } from "../common/navigation/leave-guard.ts";
import { PageHead } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useReplaceSession, useSession } from "../common/session.ts";
import { forgetPlaces } from "../places/use-place-around.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { extractLine } from "./extract-line.ts";
import { uploadStreets } from "./upload-streets.ts";

/** Where the streets of the map come from: the owner of the only account uploads them, or is told who can set them up. */
export default function StreetsPage() {
  const { streets: words } = useAdministrationTexts();
  const loading = useAnswer("GET /fleet/streets");
  const { loaded, replace } = loading;
  const replaceSession = useReplaceSession();
  const { map } = useSession();
  const setup = loaded.data?.data ?? null;
  const onChanged = useCallback(
    async (changed: StreetSetup) => {
      replace(() => ({ data: changed }));
      forgetPlaces();
      // The map of this page draws them at once.
      replaceSession(await getJson("GET /session"));
    },
    [replace, replaceSession],
  );
  const isDrawn = map.style !== null || map.tiles !== null;
  return (
    <>
      <PageHead title={words.title} text={words.what} />
      <LoadState {...loading} />
      {setup !== null && (
        <div className="stack">
          <Notice kind={isDrawn ? "success" : "info"}>
            <p>{isDrawn ? words.inUse : words.notSetUp}</p>
            {isDrawn && <Link to="/map">{words.seeMap}</Link>}
          </Notice>
          {setup.by_operator === null ? (
            <>
              <GetFile />
              <UploadCard setup={setup} onChanged={onChanged} />
              <ArchiveList setup={setup} onChanged={onChanged} />
            </>
          ) : (
            <section className="card" aria-labelledby="streets-operator">
              <h2 id="streets-operator">{words.byOperator}</h2>
              <p>{words.operatorReasons[setup.by_operator]}</p>
              <p>
                <a href="/docs/guide/streets">{words.instructions}</a>
              </p>
            </section>
          )}
        </div>
      )}
    </>
  );
}

const loadPlaces = async (signal: AbortSignal) =>
  (await getPage("positions/latest", { limit: String(pageLimit) }, signal)).data.filter(frameHasPlace);

function GetFile() {
  const { streets: words } = useAdministrationTexts();
  const { loaded } = useLoad(loadPlaces);
  const line = useMemo(() => extractLine(loaded.data ?? [], Date.now()), [loaded.data]);
  return (
    <section className="card" aria-labelledby="streets-get">
      <h2 id="streets-get">{words.get}</h2>
      <p>{words.getWhat}</p>
      <p>
        <a href="https://docs.protomaps.com/pmtiles/cli" target="_blank" rel="noreferrer">
          {words.getProgram}
        </a>
      </p>
      <Copyable title={words.getLine} text={line} />
      <p className="hint">
        {words.sizes} <a href="/docs/guide/streets">{words.instructions}</a>
      </p>
    </section>
  );
}

interface SetupProps {
  readonly setup: StreetSetup;
  readonly onChanged: (setup: StreetSetup) => Promise<void>;
}

type UploadState =
  | { readonly state: "idle" }
  | { readonly state: "sending"; readonly name: string; readonly received: number; readonly bytes: number }
  | { readonly state: "failed"; readonly error: unknown }
  | { readonly state: "done"; readonly name: string };

function UploadCard({ setup, onChanged }: SetupProps) {
  const { streets: words, show, common } = useAdministrationTexts();
  const [upload, setUpload] = useState<UploadState>({ state: "idle" });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const isSending = upload.state === "sending";
  useLeaveGuard(
    isSending,
    useCallback(
      (leave) => {
        if (confirm(words.leaveQuestion)) leave();
      },
      [words],
    ),
  );
  const room = setup.room_bytes ?? 0;
  const start = async (file: File) => {
    if (file.size > room) return setUpload({ state: "failed", error: new TooLarge() });
    const controller = new AbortController();
    abort.current = controller;
    const progress = (received: number) => setUpload({ state: "sending", name: file.name, received, bytes: file.size });
    progress(0);
    try {
      const { signal } = controller;
      const changed = await uploadStreets({ file, pieceBytes: setup.piece_bytes, signal, onProgress: progress });
      setUpload({ state: "done", name: file.name });
      announce(words.done(file.name));
      await onChanged(changed);
    } catch (error) {
      if (controller.signal.aborted) setUpload({ state: "idle" });
      else setUpload({ state: "failed", error });
    }
  };
  return (
    <section className="card" aria-labelledby="streets-upload">
      <h2 id="streets-upload">{words.upload}</h2>
      <p>{words.uploadWhat(fileSize(room, show))}</p>
      {upload.state === "sending" ? (
        <div className="column gap-2">
          <progress aria-label={words.progress(upload.name)} max={upload.bytes} value={upload.received} />
          <p className="row gap-3 wrap">
            <span className="digits" aria-live="off">
              {words.sent(fileSize(upload.received, show), fileSize(upload.bytes, show))}
            </span>
            <Button look="small" text={common.cancel} onClick={() => abort.current?.abort()} />
          </p>
        </div>
      ) : (
        <label className="button button-primary button-own-width streets-choose">
          {words.choose}
          <input
            type="file"
            accept=".pmtiles"
            className="visually-hidden"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              target.value = "";
              if (file) void start(file);
            }}
          />
        </label>
      )}
      {upload.state === "failed" && <UploadError error={upload.error} />}
      {upload.state === "done" && <Notice kind="success">{words.done(upload.name)}</Notice>}
    </section>
  );
}

class TooLarge extends Error {}

function UploadError({ error }: { readonly error: unknown }) {
  const { streets: words } = useAdministrationTexts();
  const problem = error instanceof TooLarge ? "no_room" : error instanceof PortalError ? error.details.problem : null;
  const text = (words.problems as Readonly<Record<string, string>>)[String(problem)];
  return text === undefined ? <ErrorNotice error={error} /> : <Notice kind="error">{text}</Notice>;
}

function ArchiveList({ setup, onChanged }: SetupProps) {
  const { streets: words, show } = useAdministrationTexts();
  const [error, setError] = useState<unknown>(null);
  if (setup.archives.length === 0) return null;
  const remove = async (name: string) => {
    if (!confirm(words.removeQuestion(name))) return;
    try {
      const { data } = await send(to("DELETE /fleet/streets/archives/{name}", { name }));
      setError(null);
      announce(words.removed(name));
      await onChanged(data);
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <section className="card" aria-labelledby="streets-files">
      <h2 id="streets-files">{words.files}</h2>
      {error !== null && <ErrorNotice error={error} />}
      <ul className="column gap-2">
        {setup.archives.map(({ name, bytes }) => (
          <li key={name} className="row gap-3 wrap">
            <span className="break">{name}</span>
            <span className="quiet digits">{fileSize(bytes, show)}</span>
            <Button look="small danger" text={words.remove} of={name} onClick={() => remove(name)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function fileSize(bytes: number, show: Show): string {
  if (bytes >= 1e9) return `${show.number(bytes / 1e9, 1)} GB`;
  return `${show.number(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB`;
}
