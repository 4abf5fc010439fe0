import type { Device } from "../../both-sides/contract/data.ts";
import type { Person } from "../../both-sides/contract/people.ts";
import { Button } from "../common/elements/button.tsx";
import { Time } from "../common/reading/time.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface PersonRowProps {
  readonly person: Person;
  readonly devices: ReadonlyMap<string, Device>;
  readonly onAssign: () => void;
  readonly onManage: () => void;
}

/** How many vehicles are named without a click. */
const fewNames = 3;

export function PersonRow({ person, devices, onAssign, onManage }: PersonRowProps) {
  const { people: words, vehicles, common, show } = useAdministrationTexts();
  const names = person.device_ids.flatMap((id) => devices.get(id)?.name ?? []).sort(show.compare);
  const isOwner = person.role === "owner";
  const seen = person.device_ids.length;
  return (
    <li className="person-card">
      <span className="avatar" aria-hidden="true">
        {person.name.charAt(0).toUpperCase()}
      </span>
      <div className="person-who">
        <h2>
          {person.name} <Badges person={person} />
        </h2>
        <p className="quiet">{person.email}</p>
        {person.needs_confirmation && person.status === "active" && (
          <p className="hint" title={words.notConfirmedWhat}>
            {words.notConfirmed}
          </p>
        )}
        <LinkState person={person} />
      </div>
      <dl className="person-facts">
        <div>
          <dt>{words.sees}</dt>
          <dd>
            <span>{isOwner ? words.seesAll : common.vehicles(seen, show.number(seen))}</span>
            {!isOwner && names.length > 0 && (
              <span className="quiet">
                {names.slice(0, fewNames).join(", ")}
                {names.length > fewNames && " …"}
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>{words.lastSignIn}</dt>
          <dd>
            {person.last_login_at === null ? common.never : <Time at={person.last_login_at} />}
            <span className="quiet">
              {person.sessions > 0 ? words.sessions(person.sessions, show.number(person.sessions)) : words.noSession}
            </span>
          </dd>
        </div>
      </dl>
      <div className="row-actions">
        {!isOwner && (
          <Button look="small" text={vehicles.title} aria-label={words.vehiclesOf(person.name)} onClick={onAssign} />
        )}
        <Button look="small" text={words.manage} aria-label={words.manageWho(person.name)} onClick={onManage} />
      </div>
    </li>
  );
}

function Badges({ person }: { readonly person: Person }) {
  const { people: words, shell } = useAdministrationTexts();
  if (person.role === "owner") return <span className="badge">{shell.owner}</span>;
  if (person.status === "disabled") return <span className="badge badge-expired">{words.disabled}</span>;
  if (person.has_password) return null;
  return <span className="badge">{person.link === null ? words.noPassword : words.invited}</span>;
}

/** Until when the person can use the link that was made for them. */
function LinkState({ person }: { readonly person: Person }) {
  const { people: words, show } = useAdministrationTexts();
  if (person.role === "owner" || person.status === "disabled") return null;
  if (person.link === null) return person.has_password ? null : <p className="hint">{words.linkExpired}</p>;
  const until = words.validUntil(show.time(Date.parse(person.link.expires_at), "minute"));
  return (
    <p className="hint">
      {person.link.purpose === "reset" && `${words.resetPending}. `}
      {until}
    </p>
  );
}
