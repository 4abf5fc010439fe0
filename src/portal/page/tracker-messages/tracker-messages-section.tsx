import { Suspense, useState } from "react";
import { LoadingState } from "../common/loading/notice.tsx";
import { loadable } from "../common/loading/use-load.ts";
import { useTexts } from "../texts/use-texts.ts";

const MessageList = loadable(() => import("./message-list.tsx"));

/** What the tracker of a vehicle sends, for its owner. Nothing is asked for before somebody opens it. */
export function TrackerMessagesSection({ deviceId }: { readonly deviceId: string }) {
  const { playback: words } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card tracker-messages" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.messages}</summary>
      {isOpen && (
        <Suspense fallback={<LoadingState />}>
          <MessageList deviceId={deviceId} />
        </Suspense>
      )}
    </details>
  );
}
