import { useEffect, useRef, useState } from "react";
import { announce } from "../common/announce.tsx";
import { Icon } from "../common/icon.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { BrokenDownload, downloadFile, saveFile } from "../reports/download.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";

/** All that the filters leave, as a table for a spreadsheet. */
export function AuditDownload({ query }: { readonly query: string }) {
  const { audit: words } = useAdministrationTexts();
  const { reports } = useTexts();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const start = async () => {
    if (isRunning) return;
    const running = new AbortController();
    const { signal } = running;
    abort.current = running;
    setError(null);
    setRunning(true);
    try {
      const found = await downloadFile(`/fleet/log/download?${query}`, signal, () => {});
      saveFile(found);
      announce(reports.downloaded(found.name));
    } catch (cause) {
      if (!signal.aborted) setError(cause);
    }
    setRunning(false);
  };
  return (
    <div className="audit-download">
      {/* Not disabled: the button would lose the focus. */}
      <button type="button" className="button" aria-disabled={isRunning} onClick={start}>
        <Icon name="download" />
        {isRunning ? words.downloading : words.download}
      </button>
      {error instanceof BrokenDownload && <Notice kind="error">{reports.brokenDownload}</Notice>}
      {error !== null && !(error instanceof BrokenDownload) && <ErrorNotice error={error} retry={start} />}
    </div>
  );
}
