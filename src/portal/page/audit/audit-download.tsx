import { Icon } from "../common/icon.tsx";
import { DownloadFailure, useDownload } from "../reports/downloads.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

/** All that the filters leave, as a table for a spreadsheet. */
export function AuditDownload({ query }: { readonly query: string }) {
  const { audit: words } = useAdministrationTexts();
  const { running, failed, start } = useDownload();
  const isRunning = running !== null;
  return (
    <div className="audit-download">
      {/* Not disabled: the button would lose the focus. */}
      <button
        type="button"
        className="button"
        aria-disabled={isRunning}
        onClick={() => start({ text: words.download, path: `/fleet/log/download?${query}` })}
      >
        <Icon name="download" />
        {isRunning ? words.downloading : words.download}
      </button>
      <DownloadFailure failed={failed} start={start} />
    </div>
  );
}
