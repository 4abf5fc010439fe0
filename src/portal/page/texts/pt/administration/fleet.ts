import type { AdministrationTexts } from "../../administration-texts.ts";
import { plural } from "../../plural.ts";

export const fleet: AdministrationTexts["fleet"] = {
  title: "Frota",
  parts: "Partes da frota",
  effect: "O que muda",
  noEffect: "Nada mais muda.",
  begins: (count, shown) => plural(count, shown, "atribuição começa", "atribuições começam"),
  ends: (count, shown) => plural(count, shown, "atribuição termina", "atribuições terminam"),
  subAccounts: (count, shown) => `${plural(count, shown, "subconta vê", "subcontas veem")} a mudança`,
  vehicles: (count, shown) => plural(count, shown, "veículo", "veículos"),
  trips: (count, shown) => plural(count, shown, "viagem", "viagens"),
  crossings: (count, shown) => plural(count, shown, "passagem", "passagens"),
  alerts: (count, shown) => plural(count, shown, "alerta", "alertas"),
  derivedAgain: (vehicles, facts) => `novo cálculo de ${vehicles}, com ${facts}`,
  vehiclesDerivedAgain: (vehicles) => `novo cálculo de ${vehicles}`,
  since: (time) => ` desde ${time}`,
  sinceBeginning: " desde o início",
  and: "e",
  conflict: "Outra pessoa mudou isto nesse meio-tempo",
  conflictFields: (fields) => `Mudou desde que foi aberto: ${fields}. Nada do que foi escrito se perde.`,
  keepMine: "Salvar o meu mesmo assim",
  takeTheirs: "Ficar com o da outra pessoa",
  managedByFile: "Do arquivo da frota. Se for mudado aqui, o arquivo não o muda mais sozinho.",
  managedByPortal: "Mudado aqui. O arquivo da frota não o muda mais sozinho.",
  cannotUndo: "Isto não pode ser desfeito.",
};
