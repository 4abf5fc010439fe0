import { ChoiceList } from "../common/choice-list.tsx";
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
