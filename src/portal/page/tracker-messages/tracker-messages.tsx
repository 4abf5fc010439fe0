import { Suspense, useState } from "react";
import { LoadingState } from "../common/loading/notice.tsx";
import { loadable } from "../common/loading/use-load.ts";
import { useTexts } from "../texts/use-texts.ts";

const MessageList = loadable(() => import("./message-list.tsx"));

/** What the tracker of a vehicle sends, for its owner. */
export function TrackerMessageLog({ deviceId }: { readonly deviceId: string }) {
  return (
    <Suspense fallback={<LoadingState />}>
      <MessageList deviceId={deviceId} />
    </Suspense>
  );
}

/** Folded: nothing is asked for before a person opens it. */
export function FoldedTrackerMessages({ deviceId }: { readonly deviceId: string }) {
  const { playback: words } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card tracker-messages" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.messages}</summary>
      {isOpen && <TrackerMessageLog deviceId={deviceId} />}
    </details>
  );
}
