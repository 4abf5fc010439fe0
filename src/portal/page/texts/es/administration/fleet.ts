import type { AdministrationTexts } from "../../administration-texts.ts";
import { plural } from "../../plural.ts";

export const fleet: AdministrationTexts["fleet"] = {
  title: "Flota",
  parts: "Partes de la flota",
  effect: "Qué cambia",
  noEffect: "No cambia nada más.",
  begins: (count, shown) => plural(count, shown, "asignación comienza", "asignaciones comienzan"),
  ends: (count, shown) => plural(count, shown, "asignación termina", "asignaciones terminan"),
  subAccounts: (count, shown) => `${plural(count, shown, "subcuenta ve", "subcuentas ven")} el cambio`,
  vehicles: (count, shown) => plural(count, shown, "vehículo", "vehículos"),
  trips: (count, shown) => plural(count, shown, "viaje", "viajes"),
  crossings: (count, shown) => plural(count, shown, "cruce", "cruces"),
  alerts: (count, shown) => plural(count, shown, "alerta", "alertas"),
  derivedAgain: (vehicles, facts) => `nuevo cálculo de ${vehicles}, con ${facts}`,
  vehiclesDerivedAgain: (vehicles) => `nuevo cálculo de ${vehicles}`,
  since: (time) => ` desde ${time}`,
  sinceBeginning: " desde el principio",
  and: "y",
  conflict: "Otra persona ha cambiado esto mientras tanto",
  conflictFields: (fields) => `Cambiado desde que se abrió: ${fields}. No se pierde nada de lo escrito.`,
  keepMine: "Guardar lo mío de todos modos",
  takeTheirs: "Tomar lo de la otra persona",
  managedByFile: "Del archivo de la flota. Si se cambia aquí, el archivo ya no lo cambia por sí solo.",
  managedByPortal: "Cambiado aquí. El archivo de la flota ya no lo cambia por sí solo.",
  cannotUndo: "Esto no se puede deshacer.",
};
