import type { SubAccount } from "../../records/portal-records.ts";
import { CheckList } from "../common/fields/check-list.tsx";
import { ChoiceList } from "../common/fields/choice-list.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { type VehicleStatus, vehicleStatuses } from "./vehicle-records.ts";

interface StatusChoiceProps {
  readonly value: VehicleStatus | null;
  readonly onChange: (status: VehicleStatus) => void;
}

export function StatusChoice(props: StatusChoiceProps) {
  const { vehicles: words } = useAdministrationTexts();
  const choices = vehicleStatuses.map((status) => [status, words.status[status], words.statusWhat[status]] as const);
  return <ChoiceList legend={words.statusColumn} choices={choices} hint={words.statusHint} {...props} />;
}

interface PeopleChoiceProps {
  readonly people: readonly SubAccount[];
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

export function PeopleChoice({ people, chosen, onChange }: PeopleChoiceProps) {
  const { vehicles: words } = useAdministrationTexts();
  if (people.length === 0) return <p className="quiet">{words.noSubAccounts}</p>;
  return (
    <CheckList
      items={people.map(({ user_id, name, email }) => ({ id: user_id, name, detail: email }))}
      chosen={new Set(chosen)}
      onToggle={([id = ""], isWanted) => onChange(isWanted ? [...chosen, id] : chosen.filter((other) => other !== id))}
      searchLabel={words.findPerson}
      searchFrom={9}
    />
  );
}
