import { useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { DriverRecord, UnnamedDriverId } from "../../both-sides/contract/people.ts";
import { send } from "../api/request.ts";
import { ConfirmDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button, LinkButton } from "../common/elements/button.tsx";
import { useOpenForm } from "../common/kept-forms/use-kept-form.ts";
import { EmptyState, LoadState, Notice } from "../common/loading/notice.tsx";
import { useAnswer } from "../common/loading/use-load.ts";
import { PageHead, useFocusAfterRemoval } from "../common/navigation/page-head.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { DriverDialog } from "./driver-dialog.tsx";

type OpenDriver =
  | { readonly dialog: "edit"; readonly driver: DriverRecord | null; readonly driverIds: readonly string[] }
  | { readonly dialog: "erase"; readonly driver: DriverRecord };

const nobody: readonly DriverRecord[] = [];

/** Who drives: the owner says whose the tags and cards are that trackers read. */
export default function DriversPage() {
  const { drivers: words, fleet, show } = useAdministrationTexts();
  const loading = useAnswer("GET /fleet/drivers");
  const { loaded, reload } = loading;
  const [open, setOpen] = useOpenForm<OpenDriver>(
    "drivers",
    () => null,
    ({ dialog }) => dialog === "edit",
  );
  const focusAfterRemoval = useFocusAfterRemoval(loaded);
  const close = () => setOpen(null);
  const closeAndReload = () => {
    close();
    reload();
  };
  const drivers = (loaded.data?.data ?? nobody).toSorted((one, other) => show.compare(one.name, other.name));
  const unnamed = loaded.data?.unnamed ?? [];
  const add = (driverIds: readonly string[]) => setOpen({ dialog: "edit", driver: null, driverIds });
  const erase = async ({ id, name, revision }: DriverRecord) => {
    await send(to("POST /fleet/drivers/{driver_id}/erase", { driver_id: id }), { revision });
    announce(words.erased(name));
    focusAfterRemoval();
    closeAndReload();
  };
  return (
    <>
      <PageHead title={words.title} text={words.about}>
        {loaded.data !== null && <Button look="primary" icon="plus" text={words.add} onClick={() => add([])} />}
      </PageHead>
      <LoadState {...loading} />
      <UnnamedIds unnamed={unnamed} onName={(driverId) => add([driverId])} />
      <ul className="people-list">
        {drivers.map((driver) => (
          <li key={driver.id} className="person-card">
            <span className="avatar" aria-hidden="true">
              {driver.name.charAt(0).toUpperCase()}
            </span>
            <div className="person-who">
              <h2>{driver.name}</h2>
            </div>
            <dl className="person-facts">
              <div>
                <dt>{words.ids}</dt>
                <dd>{driver.driver_ids.length === 0 ? words.noIds : driver.driver_ids.join(", ")}</dd>
              </div>
            </dl>
            <div className="row-actions">
              <Button
                look="small"
                text={words.edit}
                aria-label={words.editWho(driver.name)}
                onClick={() => setOpen({ dialog: "edit", driver, driverIds: driver.driver_ids })}
              />
              <Button
                look="small danger"
                text={words.erase}
                aria-label={words.eraseWho(driver.name)}
                onClick={() => setOpen({ dialog: "erase", driver })}
              />
            </div>
          </li>
        ))}
      </ul>
      {loaded.data !== null && drivers.length === 0 && (
        <EmptyState icon="account" title={words.nobody}>
          {words.nobodyWhat}
        </EmptyState>
      )}
      {open?.dialog === "edit" && (
        <DriverDialog
          driver={open.driver}
          driverIds={open.driverIds}
          known={unnamed.map(({ driver_id }) => driver_id)}
          onClose={close}
          onSaved={closeAndReload}
        />
      )}
      {open?.dialog === "erase" && (
        <ConfirmDialog
          title={words.eraseTitle(open.driver.name)}
          words={[fleet.erase, fleet.removing]}
          onClose={close}
          work={() => erase(open.driver)}
        >
          <p>{words.eraseWhat}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const fewShown = 5;

interface UnnamedIdsProps {
  readonly unnamed: readonly UnnamedDriverId[];
  readonly onName: (driverId: string) => void;
}

/** Ids that trackers sent lately and that nobody has named. Nothing if there are none. */
function UnnamedIds({ unnamed, onName }: UnnamedIdsProps) {
  const { drivers: words, common, show } = useAdministrationTexts();
  const [isWhole, setWhole] = useState(false);
  if (unnamed.length === 0) return null;
  const shown = isWhole ? unnamed : unnamed.slice(0, fewShown);
  return (
    <section aria-labelledby="unnamed-drivers">
      <Notice kind="info">
        <h2 id="unnamed-drivers">{words.unnamedTitle}</h2>
        <p>{words.unnamedWhat}</p>
        <ul className="refused-list">
          {shown.map(({ driver_id, seen_at }) => (
            <li key={driver_id}>
              <span>{words.seen(driver_id, show.time(Date.parse(seen_at), "minute"))}</span>
              <Button
                look="small"
                icon="plus"
                text={words.nameThis}
                aria-label={words.nameWhich(driver_id)}
                onClick={() => onName(driver_id)}
              />
            </li>
          ))}
        </ul>
        {unnamed.length > shown.length && (
          <LinkButton
            onClick={() => setWhole(true)}
            text={common.showMoreRows(show.number(unnamed.length - shown.length))}
          />
        )}
      </Notice>
    </section>
  );
}
