import { type ReactNode, useCallback } from "react";
import { ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { useShow } from "../common/reading/use-show.ts";
import { loadAdministrationTexts } from "../texts/load-texts.ts";
import { AdministrationTextsContext } from "../texts/use-administration-texts.ts";

export function WithAdministrationTexts({ children }: { readonly children: ReactNode }) {
  const { language } = useShow();
  const { loaded, reload } = useLoad(useCallback(() => loadAdministrationTexts[language](), [language]));
  if (loaded.data !== null) {
    return <AdministrationTextsContext value={loaded.data}>{children}</AdministrationTextsContext>;
  }
  return loaded.state === "failed" ? <ErrorNotice error={loaded.error} retry={reload} /> : <LoadingState />;
}
