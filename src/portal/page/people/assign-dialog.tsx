import { useEffect, useMemo, useState } from "react";
import type { Effect } from "../api/portal-records.ts";
import type { Device } from "../api/records.ts";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { EffectNote } from "../fleet/effect-note.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Person } from "./person.ts";
import { VehicleChoice } from "./vehicle-choice.tsx";

interface AssignProps {
  readonly person: Person;
  readonly devices: readonly Device[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** A person should not see the effect jump at each tick. */
const pauseMs = 400;

/** Which vehicles a sub-account sees. Only what was changed here is sent, so what somebody else changed meanwhile stays. */
export function AssignDialog({ person, devices, onClose, onSaved }: AssignProps) {
  const { common } = useTexts();
  const { people: words } = useAdministrationTexts();
  const show = useShow();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(person.device_ids));
  const [effect, setEffect] = useState<Effect | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const path = `/fleet/users/${person.user_id}/vehicles`;
  const change = useMemo(() => {
    const seen = new Set(person.device_ids);
    return {
      begins: [...chosen].filter((id) => !seen.has(id)),
      ends: person.device_ids.filter((id) => !chosen.has(id)),
    };
  }, [chosen, person]);
  const isChanged = change.begins.length + change.ends.length > 0;
  useEffect(() => {
    setEffect(null);
    if (!isChanged) return;
    let isOld = false;
    const timer = setTimeout(() => {
      send<{ data: { effect: Effect } }>("PUT", `${path}?preview=true`, change).then(
        ({ data }) => !isOld && setEffect(data.effect),
        (cause) => !isOld && setError(cause),
      );
    }, pauseMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [change, isChanged, path]);
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      if (isChanged) await send("PUT", path, change);
      announce(words.nowSees(person.name, common.vehicles(chosen.size, show.number(chosen.size))));
      onSaved();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.whatSees(person.name)} onClose={onClose}>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        <VehicleChoice devices={devices} chosen={chosen} onChoose={setChosen} isFirst />
        <EffectNote effect={effect} />
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="button" className="button button-primary" disabled={isBusy} onClick={save}>
            {isBusy ? common.saving : common.save}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
