import { useMemo, useState } from "react";
import type { SubAccount } from "../api/portal-records.ts";
import { CheckList } from "../common/check-list.tsx";
import { SearchField } from "../common/search-field.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface PeopleChoiceProps {
  readonly people: readonly SubAccount[];
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** With fewer, a search is more trouble than looking. */
const fewPeople = 8;
/** How many boxes are drawn at once; the others are found by search. */
const maxShown = 200;

/** Sub-accounts, each with a box. Those chosen at first come before all others. */
export function PeopleChoice({ people, chosen, onChange }: PeopleChoiceProps) {
  const { vehicles: words } = useAdministrationTexts();
  const show = useShow();
  const [search, setSearch] = useState("");
  // A row must not move when its box is ticked.
  const [first] = useState(() => new Set(chosen));
  const found = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    const rank = ({ user_id }: SubAccount) => (first.has(user_id) ? 0 : 1);
    return people
      .filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(wanted))
      .sort((one, other) => rank(one) - rank(other) || show.compare(one.name, other.name));
  }, [people, search, first, show]);
  if (people.length === 0) return <p className="quiet">{words.noSubAccounts}</p>;
  const toggle = (id: string, isWanted: boolean) =>
    onChange(isWanted ? [...chosen, id] : chosen.filter((other) => other !== id));
  return (
    <>
      {people.length > fewPeople && <SearchField label={words.findPerson} value={search} onChange={setSearch} />}
      <CheckList
        rows={found.slice(0, maxShown).map(({ user_id: id, name, email: detail }) => ({ id, name, detail }))}
        isChosen={(id) => chosen.includes(id)}
        onChange={toggle}
      />
    </>
  );
}
