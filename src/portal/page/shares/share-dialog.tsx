import { useMemo, useState } from "react";
import type { MadeShare } from "../../both-sides/contract/shares.ts";
import { send } from "../api/request.ts";
import { Button } from "../common/elements/button.tsx";
import { Copyable } from "../common/elements/copyable.tsx";
import { CheckList } from "../common/fields/check-list.tsx";
import { Segmented } from "../common/fields/choices.tsx";
import { useVehiclesByName } from "../common/vehicles/use-devices.ts";
import { CreateDialog, type CreateProps } from "../credentials/create-dialog.tsx";
import { MadeSecretDialog } from "../credentials/made-secret-dialog.tsx";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { ExpiryFields, PeriodFields, periodIn, untilIn } from "./share-times.tsx";

/** As the server takes them. */
const maxVehicles = 20;
/** With fewer vehicles, a search is more trouble than looking. */
const searchFrom = 9;
const labels = ["name", "plate"] as const;

interface ShareDialogProps extends CreateProps<MadeShare> {
  /** The vehicle that it was opened from, if it was. */
  readonly vehicle?: { readonly id: string; readonly name: string };
}

/** Asks what to show, how to call it, and until when. */
export function ShareDialog({ vehicle, ...then }: ShareDialogProps) {
  const { shares: words, show } = useTexts();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(vehicle === undefined ? [] : [vehicle.id]));
  const [label, setLabel] = useState<(typeof labels)[number]>("name");
  const [isLive, setLive] = useState(true);
  const [hasPeriod, setPeriod] = useState(false);
  const [isTried, setTried] = useState(false);
  const problemOfVehicles =
    chosen.size === 0 ? words.chooseVehicles : chosen.size > maxVehicles ? words.tooMany(String(maxVehicles)) : null;
  const isNothing = !isLive && !hasPeriod;
  const creationOf = (name: string, form: HTMLFormElement) => {
    setTried(true);
    if (problemOfVehicles !== null || isNothing) return null;
    const period = hasPeriod ? periodIn(form, show.zone) : { from: null, to: null };
    // No time is refused by the server, as one that is past.
    const until = untilIn(form, show.zone, Date.now()) ?? "";
    const share = { name, device_ids: [...chosen], label, live: isLive, ...period, until };
    return () => send("POST /shares", share);
  };
  return (
    <CreateDialog
      {...then}
      words={words}
      wide
      firstName={vehicle?.name}
      creationOf={creationOf}
      fields={(problems) => (
        <>
          <fieldset className="form-part">
            <legend>{words.vehicles}</legend>
            <WithAdministrationTexts>
              <VehicleList chosen={chosen} onChange={setChosen} />
            </WithAdministrationTexts>
            <Problem text={(isTried ? problemOfVehicles : null) ?? problems.device_ids} />
          </fieldset>
          <fieldset className="form-part">
            <legend>{words.what}</legend>
            <label className="check">
              <input type="checkbox" checked={isLive} onChange={({ target }) => setLive(target.checked)} />
              {words.liveToo}
            </label>
            <label className="check">
              <input type="checkbox" checked={hasPeriod} onChange={({ target }) => setPeriod(target.checked)} />
              {words.period}
            </label>
            {hasPeriod && <PeriodFields problems={problems} />}
            <Problem text={(isTried && isNothing ? words.chooseWhat : null) ?? problems.live} />
          </fieldset>
          <ExpiryFields problem={problems.until} />
          <Segmented
            name="label"
            label={words.labels}
            isLabelShown
            options={labels}
            words={words.labelWords}
            value={label}
            onChange={setLabel}
          />
        </>
      )}
    />
  );
}

function Problem({ text }: { readonly text: string | null | undefined }) {
  return text ? (
    <p className="problem" role="alert">
      {text}
    </p>
  ) : null;
}

interface VehicleListProps {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

function VehicleList({ chosen, onChange }: VehicleListProps) {
  const { shares: words, common, show } = useTexts();
  const vehicles = useVehiclesByName();
  const items = useMemo(
    () => vehicles.map(({ device_id: id, name, plate }) => ({ id, name, detail: plate ?? "" })),
    [vehicles],
  );
  return (
    <>
      <p className="hint" aria-live="polite">
        {words.chosen(show.number(chosen.size), show.number(maxVehicles))}
      </p>
      <div className="share-choice">
        <CheckList
          items={items}
          chosen={chosen}
          onToggle={(ids, isWanted) =>
            onChange(isWanted ? chosen.union(new Set(ids)) : chosen.difference(new Set(ids)))
          }
          searchLabel={common.searchVehicle}
          searchFrom={searchFrom}
        />
      </div>
    </>
  );
}

/** The only time that the link is shown. */
export function MadeShareDialog({ made, onClose }: { readonly made: MadeShare; readonly onClose: () => void }) {
  const { shares: words } = useTexts();
  return (
    <MadeSecretDialog title={words.ready(made.data.name)} words={words} onClose={onClose}>
      {(onStored) => (
        <>
          <Copyable title={words.link} text={made.url} testId="made-link" />
          <SendButton made={made} onSent={onStored} />
        </>
      )}
    </MadeSecretDialog>
  );
}

/** Opens the phone's own sheet, with the apps that a person sends things by. Absent where the browser has none. */
function SendButton({ made: { data, url }, onSent }: { readonly made: MadeShare; readonly onSent: () => void }) {
  const { shares: words } = useTexts();
  const shared = { title: data.name, url };
  if (!navigator.canShare?.(shared)) return null;
  // Who closes the sheet without choosing has not sent it; the link is still there to be copied.
  const sendIt = () => navigator.share(shared).then(onSent, () => {});
  return <Button look="primary" icon="share" text={words.send} onClick={sendIt} />;
}
