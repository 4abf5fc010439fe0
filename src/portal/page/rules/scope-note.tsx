import { Link } from "../common/route.tsx";
import { useDevices } from "../common/use-devices.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { RulesOfPage } from "./rules-api.ts";
import { tagOf } from "./scope-rules.ts";

/** More names than anybody reads. */
const maxNamed = 8;

/** Whom the rules concern; of a vehicle, the tags whose rules it has. */
export function ScopeNote({ rules: { scope, shared } }: { readonly rules: RulesOfPage }) {
  const { rules: words, fleet, show } = useAdministrationTexts();
  const devices = useDevices();
  const vehicles = (count: number) => fleet.vehicles(count, show.number(count));
  const tag = tagOf(scope.id);
  if (scope.id === "all") return <p className="quiet">{words.concernsAll(vehicles(shared.vehicles))}</p>;
  if (tag !== null) {
    const count = shared.tags.find((one) => one.tag === tag)?.vehicles ?? 0;
    if (count === 0) return <p className="quiet">{words.concernsNobody}</p>;
    const names = [...(devices?.values() ?? [])]
      .filter(({ tags }) => tags.includes(tag))
      .map(({ name }) => name)
      .sort(show.compare);
    const named = names.slice(0, maxNamed).join(", ") + (names.length > maxNamed ? " …" : "");
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
