import { useState } from "react";
import { Button } from "../common/elements/button.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useReplaceSession, useSession } from "../common/session.ts";
import { forgetDevices } from "../common/vehicles/use-devices.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { ImportDialog } from "../vehicles/import-dialog.tsx";
import { TrackForm } from "./track-form.tsx";

/** What somebody has in files: a list of vehicles, or a drive. */
export function FileSteps({ onImported }: { readonly onImported: () => void }) {
  const { start: words, vehicles } = useAdministrationTexts();
  const session = useSession();
  const replaceSession = useReplaceSession();
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  return (
    <>
      <section className="card column gap-4" aria-labelledby="table">
        <h2 id="table">{words.tableTitle}</h2>
        {isDone ? (
          <Notice kind="success">
            <p>{words.fileDone}</p>
            <Link to="/fleet/vehicles">{vehicles.title}</Link>
          </Notice>
        ) : (
          <>
            <p>{vehicles.importWhat}</p>
            <Button look="primary own-width" text={vehicles.importMany} onClick={() => setOpen(true)} />
          </>
        )}
        {isOpen && !isDone && (
          <ImportDialog
            onClose={() => setOpen(false)}
            onImported={() => {
              forgetDevices();
              if (!session.has_vehicles) replaceSession({ ...session, has_vehicles: true });
              setDone(true);
              onImported();
            }}
          />
        )}
      </section>
      <TrackForm />
    </>
  );
}
