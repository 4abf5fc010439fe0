import { useCallback, useState } from "react";
import type { AlertType } from "../../../domain/alert-types.ts";
import { useAddress } from "../common/address.ts";
import { announce } from "../common/announce.tsx";
import { LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { PageHead } from "../common/page-head.tsx";
import { useLoad } from "../common/use-load.ts";
import { ManagedBy } from "../fleet/managed-by.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { RuleDialog } from "./rule-dialog.tsx";
import { loadRules } from "./rules-api.ts";
import { RulesTable } from "./rules-table.tsx";
import { ScopeChoice } from "./scope-choice.tsx";
import { ScopeNote } from "./scope-note.tsx";

/** Which alerts are raised, for all vehicles, those with a tag, or one. Whom the page is about is in the address. */
export default function RulesPage() {
  const { rules: words } = useAdministrationTexts();
  const { get, set } = useAddress();
  const id = get("for") ?? "all";
  const load = useCallback((signal: AbortSignal) => loadRules(id, signal), [id]);
  const { loaded, reload } = useLoad(load);
  const [edited, setEdited] = useState<AlertType | null>(null);
  const saved = () => {
    setEdited(null);
    announce(words.saved);
    reload();
  };
  // The rules of another vehicle must not be shown as this one's while they load.
  const data = loaded.data?.scope.id === id ? loaded.data : null;
  return (
    <>
      <PageHead title={words.title} text={words.text} />
      <ScopeChoice
        id={id}
        shared={loaded.data?.shared ?? null}
        onChoose={(chosen) => set({ for: chosen === "all" ? null : chosen })}
      />
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {data === null ? (
        loaded.state === "loading" && <LoadingState />
      ) : (
        <>
          <ScopeNote rules={data} />
          <RulesTable rules={data} onEdit={setEdited} />
          <ManagedBy record={data.scope} />
          {edited !== null && (
            <RuleDialog
              type={edited}
              rules={data}
              onClose={() => setEdited(null)}
              onSaved={saved}
              onTakeTheirs={() => {
                setEdited(null);
                reload();
              }}
            />
          )}
        </>
      )}
    </>
  );
}
