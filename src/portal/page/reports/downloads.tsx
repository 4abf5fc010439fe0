import { useEffect, useRef, useState } from "react";
import { announce } from "../common/announce.tsx";
import { Icon } from "../common/icon.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import { BrokenDownload, downloadFile, saveFile } from "./download.ts";

/** A file that a report offers. */
export interface OfferedFile {
  readonly text: string;
  /** Relative to /portal/api. */
  readonly path: string;
}

export type DownloadOffer = readonly OfferedFile[];

interface Running {
  readonly file: OfferedFile;
  readonly bytes: number;
}

interface DownloadsProps {
  readonly offer: DownloadOffer;
  readonly onPrint: () => void;
  readonly isPrinting: boolean;
}

/** Buttons for the files of a report and for printing it, and how far a download is. */
export function Downloads({ offer, onPrint, isPrinting }: DownloadsProps) {
  const { reports: words, common } = useTexts();
  const show = useShow();
  const [running, setRunning] = useState<Running | null>(null);
  const [failed, setFailed] = useState<{ readonly file: OfferedFile; readonly error: unknown } | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const startAbort = () => {
    abort.current = new AbortController();
    return abort.current;
  };
  const start = async (file: OfferedFile) => {
    if (running !== null) return;
    const { signal } = startAbort();
    setFailed(null);
    setRunning({ file, bytes: 0 });
    try {
      const found = await downloadFile(file.path, signal, (bytes) => setRunning({ file, bytes }));
      saveFile(found);
      announce(words.downloaded(found.name));
    } catch (error) {
      if (!signal.aborted) setFailed({ file, error });
    }
    setRunning(null);
  };
  return (
    <div className="downloads">
      <div className="download-buttons">
        {offer.map((file) => (
          <button
            key={file.path}
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
        <button type="button" className="button button-small" aria-disabled={isPrinting} onClick={onPrint}>
          <Icon name="print" />
          {words.print}
        </button>
      </div>
      {running === null ? (
        <p className="small quiet">{words.metricAndUtc}</p>
      ) : (
        <p className="download-progress">
          <span className="spinner" aria-hidden="true" />
          <span>{words.downloading(running.file.text, show.number(running.bytes / 1e6, 1))}</span>
          <button type="button" className="button button-small" onClick={() => abort.current?.abort()}>
            {common.cancel}
          </button>
        </p>
      )}
      {failed !== null &&
        (failed.error instanceof BrokenDownload ? (
          <Notice kind="error">
            <p>{words.brokenDownload}</p>
            <button type="button" className="button button-small" onClick={() => start(failed.file)}>
              {common.tryAgain}
            </button>
          </Notice>
        ) : (
          <ErrorNotice error={failed.error} retry={() => start(failed.file)} />
        ))}
    </div>
  );
}
