import { Suspense } from "react";
import { LoadingState } from "../common/loading/notice.tsx";
import { loadable } from "../common/loading/use-load.ts";
import { ReadingProvider } from "../common/reading/reading.tsx";

const SharePage = loadable(() => import("./share-page.tsx"));

// On a home screen the portal would open, in which a visitor has no business.
document.querySelector("link[rel=manifest]")?.remove();

/** What a share link opens: for a person without an account, in the language and the time zone of the browser. */
export function ShareApp() {
  return (
    <ReadingProvider preferences={null} timeZone={null} isVisitor>
      <Suspense fallback={<LoadingState />}>
        <SharePage />
      </Suspense>
    </ReadingProvider>
  );
}
