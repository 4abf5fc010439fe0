import { useEffect, useRef, useState } from "react";
import type { DownloadLink } from "../../../both-sides/reports/files/download-links.ts";
import { getResponse } from "../../api/request.ts";
import { announce } from "../../common/elements/announce.tsx";
import { Button } from "../../common/elements/button.tsx";
import { Icon } from "../../common/elements/icon.tsx";
import { ErrorNotice, Notice } from "../../common/loading/notice.tsx";
import { useTexts } from "../../texts/use-texts.ts";

interface Download {
  readonly running: { readonly file: DownloadLink; readonly bytes: number } | null;
  readonly failed: { readonly file: DownloadLink; readonly error: unknown } | null;
  readonly start: (file: DownloadLink) => Promise<void>;
  readonly cancel: () => void;
}

/** One download at a time, which ends with the page that began it. */
export function useDownload(): Download {
  const { reports: words } = useTexts();
  const [running, setRunning] = useState<Download["running"]>(null);
  const [failed, setFailed] = useState<Download["failed"]>(null);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const start = async (file: DownloadLink) => {
    if (running !== null) return;
    abort.current = new AbortController();
    const { signal } = abort.current;
    setFailed(null);
    setRunning({ file, bytes: 0 });
    try {
      const found = await downloadFile(file.target, signal, (bytes) => setRunning({ file, bytes }));
      saveFile(found);
      announce(words.downloaded(found.name));
    } catch (error) {
      if (!signal.aborted) setFailed({ file, error });
    }
    setRunning(null);
  };
  return { running, failed, start, cancel: () => abort.current.abort() };
}

export function DownloadFailure({ failed, start }: Pick<Download, "failed" | "start">) {
  const { reports: words, common } = useTexts();
  if (failed === null) return null;
  const { file, error } = failed;
  if (!(error instanceof BrokenDownload)) return <ErrorNotice error={error} retry={() => start(file)} />;
  return (
    <Notice kind="error">
      <p>{words.brokenDownload}</p>
      <Button look="small" text={common.tryAgain} onClick={() => start(file)} />
    </Notice>
  );
}

interface DownloadsProps {
  readonly links: readonly DownloadLink[];
  readonly onPrint: () => void;
  readonly isPrinting: boolean;
  /** The file of what is on the screen. */
  readonly asShown?: WaitingTask;
}

/** Something that is begun now and done once all rows are there. */
export interface WaitingTask {
  readonly start: () => void;
  readonly isWaiting: boolean;
  readonly error: unknown;
}

/** Buttons for the files of a report and for printing it, and how far a download is. */
export function Downloads({ links, onPrint, isPrinting, asShown }: DownloadsProps) {
  const { reports: words, common, show } = useTexts();
  const { running, failed, start, cancel } = useDownload();
  return (
    <div className="downloads grid gap-1 fit">
      <div className="download-buttons flex wrap gap-2">
        {asShown && <ShownButton task={asShown} />}
        {links.map((file) => (
          <button
            key={file.target}
            type="button"
            className="button button-small"
            // Not disabled: the button would lose the focus.
            aria-disabled={running !== null}
            aria-label={words.downloadAs(file.text)}
            onClick={() => start(file)}
          >
            <Icon name="download" />
            {file.text}
          </button>
        ))}
        <Button look="small" icon="print" text={words.print} aria-disabled={isPrinting} onClick={onPrint} />
      </div>
      {running !== null && (
        <p className="row gap-2 digits">
          <span className="spinner round" aria-hidden="true" />
          <span>{words.downloading(running.file.text, show.number(running.bytes / 1e6, 1))}</span>
          <Button look="small" text={common.cancel} onClick={cancel} />
        </p>
      )}
      <DownloadFailure failed={failed} start={start} />
      {asShown && asShown.error !== null && <ErrorNotice error={asShown.error} retry={asShown.start} />}
    </div>
  );
}

export function ShownButton({ task: { start, isWaiting } }: { readonly task: WaitingTask }) {
  const { reports: words } = useTexts();
  return (
    <Button
      look="small"
      icon="download"
      text={isWaiting ? words.makingFile : "Excel"}
      aria-label={isWaiting ? words.makingFile : words.downloadShown}
      aria-disabled={isWaiting}
      onClick={() => !isWaiting && start()}
    />
  );
}

/** The transfer ended before the file did. */
class BrokenDownload extends Error {}

/** What has come is handed to the browser in pieces of this size, which it may put on disk. */
const pieceBytes = 4 * 1024 * 1024;

export interface DownloadedFile {
  readonly name: string;
  readonly content: Blob;
}

/** Downloads a file as a whole. A file that broke off is none: it throws. */
async function downloadFile(
  target: DownloadLink["target"],
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<DownloadedFile> {
  const response = await getResponse(target, { signal });
  const type = response.headers.get("Content-Type") ?? "";
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "odograph";
  const pieces: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let part = await read(reader, signal); part !== null; part = await read(reader, signal)) {
    chunks.push(part);
    waiting += part.byteLength;
    bytes += part.byteLength;
    if (waiting >= pieceBytes) {
      pieces.push(new Blob(chunks));
      [chunks, waiting] = [[], 0];
    }
    onProgress(bytes);
  }
  return { name, content: new Blob([...pieces, ...chunks], { type }) };
}

/** Null at the end of the whole file. */
async function read(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined, signal: AbortSignal) {
  try {
    const { value, done } = (await reader?.read()) ?? { done: true };
    return done ? null : (value ?? null);
  } catch (cause) {
    signal.throwIfAborted();
    throw new BrokenDownload("", { cause });
  }
}

/** Gives the file to the browser, which saves it as it saves every download. */
export function saveFile({ name, content }: DownloadedFile): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
