import { mixed, purposes } from "../random.ts";
import { simulatedId } from "./identity.ts";
import type { Vehicle } from "./roster.ts";

/** Who drives a vehicle on one of its days, by their cards. */
export interface CardCrew {
  readonly first: string;
  /** Takes over in the second half of the day; null: nobody does. */
  readonly second: string | null;
}

export interface SimulatedDriver {
  readonly id: string;
  /** Null: nobody has named the card. */
  readonly name: string | null;
  readonly card: string;
}

export interface Crews {
  readonly drivers: readonly SimulatedDriver[];
  /** Null: its tracker reads no cards. */
  crewOf(vehicle: Vehicle, day: number): CardCrew | null;
}

const names = [
  "Aylin Demir",
  "Jonas Weber",
  "Katarzyna Nowak",
  "Milan Horvat",
  "Sofia Costa",
  "Henrik Lund",
  "Fatima Zahra",
  "Tomás Ruiz",
  "Lena Vogt",
  "Emeka Obi",
  "Ines Moreau",
  "Piotr Zieliński",
  "Nora Fischer",
  "Luca Bianchi",
  "Anh Tran",
  "Eszter Kiss",
  "Omar Haddad",
  "Marie Dubois",
  "Viktor Novák",
  "Hanna Berg",
] as const;

/** Colleagues share so many vehicles, and are one more than those: nobody drives two at once. */
const sharedAtOnce = 3;

/** Cars are taken by whoever comes first; a truck is its driver's for a week. */
const daysTogether = { car: 1, other: 7 } as const;

/** Those whose trackers read a card, a third of the fleet. Trackers that call the server themselves cannot say it (records.ts). */
function readsCards({ kindName, hasFuelSensor, knowsIgnition, quirk }: Vehicle): boolean {
  if (kindName === "car" || kindName === "service") return quirk === null ? !knowsIgnition : quirk !== "towed";
  return hasFuelSensor && kindName !== "parcel";
}

/** Drivers with cards, vehicles that they share, and who takes over from whom. */
export function createCrews(seed: number, vehicles: readonly Vehicle[]): Crews {
  const drivers: SimulatedDriver[] = [];
  const placeOf = new Map<number, { readonly place: number; readonly team: readonly SimulatedDriver[] }>();
  for (const colleagues of Map.groupBy(vehicles.filter(readsCards), ({ kindName }) => kindName).values()) {
    for (let start = 0; start < colleagues.length; start += sharedAtOnce) {
      const shared = colleagues.slice(start, start + sharedAtOnce);
      const team = Array.from({ length: shared.length + 1 }, (_, index) => driverAt(seed, drivers.length + index));
      drivers.push(...team);
      for (const [place, { index }] of shared.entries()) placeOf.set(index, { place, team });
    }
  }
  return {
    // One has a card that nobody has named yet.
    drivers: drivers.map((driver, index) => (index === drivers.length - 1 ? { ...driver, name: null } : driver)),
    crewOf({ index, kindName }, day) {
      const found = placeOf.get(index);
      if (found === undefined) return null;
      const { place, team } = found;
      const turn = Math.floor(day / (kindName === "car" ? daysTogether.car : daysTogether.other));
      const cardAt = (at: number) => (team[(at + turn) % team.length] as SimulatedDriver).card;
      // The one who has no vehicle of their own takes over in one of them.
      const isHandedOver = day % (team.length - 1) === place;
      return { first: cardAt(place), second: isHandedOver ? cardAt(team.length - 1) : null };
    },
  };
}

function driverAt(seed: number, number: number): SimulatedDriver {
  const name = names[(number + mixed(seed, purposes.people)) % names.length] as string;
  const round = Math.floor(number / names.length);
  return {
    id: simulatedId(seed, "driver", number),
    name: round === 0 ? name : `${name} ${round + 1}`,
    card: `DB${String(mixed(seed, purposes.people, number)).padStart(10, "0")}`,
  };
}
