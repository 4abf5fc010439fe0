import { useMemo, useState } from "react";
import type { SubAccount } from "../api/portal-records.ts";
import type { Device } from "../api/records.ts";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { Icon } from "../common/icon.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import { assignable } from "./assignable.ts";

interface AssignProps {
  readonly user: SubAccount;
  readonly devices: readonly Device[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** How many boxes are drawn at once. */
const rowsAtOnce = 200;

export function AssignDialog({ user, devices, onClose, onSaved }: AssignProps) {
  const { account: words, common } = useTexts();
  const show = useShow();
  const vehicles = (count: number) => common.vehicles(count, show.number(count));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(user.device_ids));
  const [search, setSearch] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [rows, setRows] = useState(rowsAtOnce);
  // Those assigned when the dialog opened: a row must not move when its box is ticked.
  const [first] = useState(chosen);
  const found = useMemo(() => assignable(devices, search, first, show.compare), [devices, search, first, show]);
  const toggle = (ids: readonly string[], isWanted: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) {
      if (isWanted) next.add(id);
      else next.delete(id);
    }
    setChosen(next);
  };
  const save = async () => {
    setBusy(true);
    try {
      await send("PUT", `/users/${user.user_id}/devices`, { device_ids: [...chosen] });
      announce(words.nowSees(user.name, vehicles(chosen.size)));
      onSaved();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const foundIds = found.map(({ device_id }) => device_id);
  const isAllFound = foundIds.every((id) => chosen.has(id));
  return (
    <Dialog title={words.whatSees(user.name)} onClose={onClose}>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        <label className="search">
          <Icon name="search" />
          <span className="visually-hidden">{common.searchVehicle}</span>
          <input
            type="search"
            data-first-focus
            placeholder={common.nameOrPlate}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <p className="list-status">
          <span aria-live="polite">{words.chosen(vehicles(chosen.size))}</span>
          <button type="button" className="link-button" onClick={() => toggle(foundIds, !isAllFound)}>
            {search.trim() === ""
              ? isAllFound
                ? words.clearAll
                : words.chooseAll
              : (isAllFound ? words.clearThese : words.chooseThese)(show.number(found.length))}
          </button>
        </p>
        <ul className="assign-list">
          {found.slice(0, rows).map(({ device_id, name, plate, imei }) => (
            <li key={device_id}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={chosen.has(device_id)}
                  onChange={(event) => toggle([device_id], event.target.checked)}
                />
                <span className="assign-name">{name}</span>
                <span className="quiet">{plate ?? imei}</span>
              </label>
            </li>
          ))}
        </ul>
        {found.length > rows && (
          <p className="list-status hint">
            {words.andMore(show.number(found.length - rows))}
            <button type="button" className="link-button" onClick={() => setRows(rows + rowsAtOnce)}>
              {common.showMore}
            </button>
          </p>
        )}
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
