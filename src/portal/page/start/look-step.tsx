import { useCallback } from "react";
import { getJson, send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice, LoadingState, LoadState, Notice } from "../common/loading/notice.tsx";
import { useRepeatedLoad } from "../common/loading/use-repeated-load.ts";
import { openAsAnother } from "../common/navigation/route.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

/** A person waits for it. */
const lookEveryMs = 2_000;

/** A made-up fleet, in an account beside the owner's own. */
export function LookStep() {
  const { start: words } = useAdministrationTexts();
  const { loaded, reload } = useRepeatedLoad(
    useCallback((signal: AbortSignal) => getJson("GET /demo-account", signal), []),
    lookEveryMs,
  );
  const { submit, error, isBusy } = useSubmit();
  const demo = loaded.data?.data ?? null;
  if (demo === null) return <LoadState loaded={loaded} reload={reload} />;
  const make = async () => {
    await send("POST /demo-account");
    reload();
  };
  const enter = async () => {
    await send("POST /demo-account/enter");
    openAsAnother("/map");
  };
  const erase = async () => {
    await send("DELETE /demo-account");
    reload();
  };
  return (
    <section className="card column gap-4">
      <p>{words.lookWhat}</p>
      {error !== null && <ErrorNotice error={error} />}
      {demo.state === "none" && demo.is_offered && (
        <Button look="primary own-width" text={words.lookMake} isBusy={isBusy} onClick={() => submit(make)} />
      )}
      {!demo.is_offered && <Notice kind="info">{words.lookNot}</Notice>}
      {demo.state === "making" && (
        <>
          <LoadingState label={words.lookMaking} />
          <Button look="own-width" text={words.lookErase} disabled={isBusy} onClick={() => submit(erase)} />
        </>
      )}
      {demo.state === "ending" && <LoadingState label={words.lookEnding} />}
      {demo.state === "ready" && (
        <>
          <Notice kind="success">{words.lookReady}</Notice>
          <p className="button-row">
            <Button look="primary" text={words.lookEnter} isBusy={isBusy} onClick={() => submit(enter)} />
            <Button look="danger" text={words.lookErase} isBusy={isBusy} onClick={() => submit(erase)} />
          </p>
        </>
      )}
    </section>
  );
}
