import { type ReactNode, useCallback } from "react";
import { ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { loadAdministrationTexts } from "../texts/load-texts.ts";
import { AdministrationTextsContext } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";

export function WithAdministrationTexts({ children }: { readonly children: ReactNode }) {
  const { language } = useTexts().show;
  const { loaded, reload } = useLoad(useCallback(() => loadAdministrationTexts[language](), [language]));
  if (loaded.data !== null) {
    return <AdministrationTextsContext value={loaded.data}>{children}</AdministrationTextsContext>;
  }
  return loaded.state === "failed" ? <ErrorNotice error={loaded.error} retry={reload} /> : <LoadingState />;
}
