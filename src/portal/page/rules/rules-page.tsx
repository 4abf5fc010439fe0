import { Suspense, useCallback, useId } from "react";
import { type AlertType, alertTypes } from "../../../domain/alert-types.ts";
import type { SharedRulesList } from "../../both-sides/contract/rules.ts";
import { announce } from "../common/elements/announce.tsx";
import { FindOne, maxListed } from "../common/fields/find-one.tsx";
import { useOpenForm } from "../common/kept-forms/use-kept-form.ts";
import { ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { loadable, useAnswer, useLoad } from "../common/loading/use-load.ts";
import { useAddress } from "../common/navigation/address.ts";
import { PageHead } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useDevices, useVehiclesByName } from "../common/vehicles/use-devices.ts";
import { ManagedByNote } from "../fleet/effect-note.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { loadRules, type RulesOfPage } from "./rules-api.ts";
import { RulesTable } from "./rules-table.tsx";
import { tagOf } from "./scope-rules.ts";

// Loaded when a rule is first opened.
const RuleDialog = loadable(() => import("./rule-dialog.tsx"));

/** The rules of one type that are being edited. */
interface EditedRules {
  readonly type: AlertType;
  /** Whether a rule that is off begins switched on. */
  readonly isSwitchedOn: boolean;
}

/** Which alerts are raised, for all vehicles, those with a tag, or one. Whom the page is about is in the address. */
export default function RulesPage() {
  const { rules: words } = useAdministrationTexts();
  const { get, set } = useAddress();
  const id = get("for") ?? "all";
  const load = useCallback((signal: AbortSignal) => loadRules(id, signal), [id]);
  const { loaded, reload } = useLoad(load);
  // A fence's own page leads here, to the rule that would watch it.
  const watched = get("watch");
  const [edited, setEdited] = useOpenForm<EditedRules>(`rules ${id}`, () => {
    const type = typeIn(get("edit"));
    return type && { type, isSwitchedOn: get("on") === "true" };
  });
  const close = () => {
    setEdited(null);
    if (get("edit") !== null) set({ edit: null, watch: null, on: null });
  };
  const mailing = useAnswer("GET /notifications");
  const saved = () => {
    close();
    announce(words.saved);
    reload();
    mailing.reload();
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
          <RulesTable
            rules={data}
            mails={mailing.loaded.data}
            onEdit={(type, isSwitchedOn) => setEdited({ type, isSwitchedOn })}
            onReplaced={reload}
          />
          <ManagedByNote record={data.scope} />
          <Suspense>
            {edited !== null && (
              <RuleDialog
                type={edited.type}
                rules={data}
                watched={watched}
                isSwitchedOn={edited.isSwitchedOn}
                mails={mailing.loaded.data}
                onClose={close}
                onSaved={saved}
                onTakeTheirs={() => {
                  close();
                  reload();
                }}
              />
            )}
          </Suspense>
        </>
      )}
    </>
  );
}

function typeIn(text: string | null): AlertType | null {
  return alertTypes.find((type) => type === text) ?? null;
}

interface ScopeChoiceProps {
  readonly id: string;
  readonly shared: SharedRulesList | null;
  readonly onChoose: (id: string) => void;
}

/** Whose rules the page shows: all vehicles, those with a tag, or one. */
function ScopeChoice({ id, shared, onChoose }: ScopeChoiceProps) {
  const { rules: words, vehicles: vehicleTexts, common, show } = useAdministrationTexts();
  const devices = useDevices();
  const fieldId = useId();
  const vehicles = useVehiclesByName();
  const own = new Set(shared?.own.map(({ device_id }) => device_id));
  const ruled = new Set(shared?.data.filter(({ rules }) => rules.length > 0).map((record) => record.id));
  const marked = (name: string, hasRules: boolean) => (hasRules ? words.withRules(name) : name);
  const tags = (shared?.tags ?? []).toSorted((one, other) => show.compare(one.tag, other.tag));
  const chosen = devices?.get(id);
  const isLong = vehicles.length > maxListed;
  return (
    <div className="rules-scope grid gap-4">
      <div className="field">
        <label htmlFor={fieldId}>{words.whom}</label>
        <select id={fieldId} value={id} onChange={({ target }) => onChoose(target.value)}>
          <option value="all">{marked(common.allVehicles, ruled.has("all"))}</option>
          {tags.length > 0 && (
            <optgroup label={common.tags}>
              {tags.map(({ tag }) => (
                <option key={tag} value={`tag:${tag}`}>
                  {marked(tag, ruled.has(`tag:${tag}`))}
                </option>
              ))}
            </optgroup>
          )}
          <optgroup label={vehicleTexts.title}>
            {(isLong ? vehicles.filter(({ device_id }) => own.has(device_id)).slice(0, maxListed) : vehicles).map(
              ({ device_id, name }) => (
                <option key={device_id} value={device_id}>
                  {marked(name, own.has(device_id))}
                </option>
              ),
            )}
            {isLong && chosen && !own.has(id) && <option value={id}>{chosen.name}</option>}
            {devices === null && id !== "all" && !id.startsWith("tag:") && <option value={id}>…</option>}
          </optgroup>
        </select>
      </div>
      {isLong && (
        <div className="field">
          <label htmlFor={`${fieldId}-find`}>{common.vehicle}</label>
          <FindOne
            id={`${fieldId}-find`}
            placeholder={common.nameOrPlate}
            options={vehicles.map(({ device_id, name, plate }) => [device_id, name, plate] as const)}
            onFound={onChoose}
          />
        </div>
      )}
    </div>
  );
}

/** More names than anybody reads. */
const maxNamed = 8;

/** Whom the rules concern; of a vehicle, the tags whose rules it has. */
function ScopeNote({ rules: { scope, shared } }: { readonly rules: RulesOfPage }) {
  const { rules: words, common, show } = useAdministrationTexts();
  const devices = useDevices();
  const vehicles = (count: number) => common.vehicles(count, show.number(count));
  const tag = tagOf(scope.id);
  if (scope.id === "all") return <p className="quiet">{words.concernsAll(vehicles(shared.vehicles))}</p>;
  if (tag !== null) {
    const count = shared.tags.find((one) => one.tag === tag)?.vehicles ?? 0;
    if (count === 0) return <p className="quiet">{words.concernsNobody}</p>;
    const names = [...(devices?.values() ?? [])]
      .filter(({ tags }) => tags.includes(tag))
      .map(({ name }) => name)
      .sort(show.compare);
    const named = names.slice(0, maxNamed).join(", ") + (names.length > maxNamed ? ", …" : "");
    return <p className="quiet">{words.concerns(vehicles(count), named)}</p>;
  }
  return (
    <p className="quiet">
      {scope.tags.length === 0 ? words.noTags : `${words.itsTags}: `}
      {scope.tags.map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <Link to={`/fleet/rules?for=${encodeURIComponent(`tag:${name}`)}`}>{name}</Link>
        </span>
      ))}
    </p>
  );
}
