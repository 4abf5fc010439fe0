import { plural } from "../../plural.ts";
import type { AdministrationTexts } from "../../texts.ts";

export const fleet: AdministrationTexts["fleet"] = {
  parts: "Partes da frota",
  effect: "O que muda",
  noEffect: "Nada mais muda.",
  begins: (count, shown) => plural(count, shown, "atribuição começa", "atribuições começam"),
  ends: (count, shown) => plural(count, shown, "atribuição termina", "atribuições terminam"),
  subAccounts: (count, shown) => `${plural(count, shown, "subconta vê", "subcontas veem")} a mudança`,
  derivedAgain: (vehicles, facts) => `novo cálculo de ${vehicles}, com ${facts}`,
  vehiclesDerivedAgain: (vehicles) => `novo cálculo de ${vehicles}`,
  since: (time) => ` desde ${time}`,
  sinceBeginning: " desde o início",
  and: "e",
  ofVehicle: (name) => `de ${name}`,
  ofTag: (tag) => `da etiqueta ${tag}`,
  ofAll: "de todos os veículos",
  ruleOf: (type, whose) => `A regra “${type}” ${whose}`,
  namesNoFence: (rule) => `${rule} não pode ser aplicada: não indica nenhuma cerca.`,
  notAssigned: (rule, fences) =>
    `${rule} não pode ser aplicada: o veículo não está atribuído a nenhuma das suas cercas (${fences}).`,
  noneAssigned: (rule, fences) =>
    `${rule} não pode ser aplicada: nenhum veículo está atribuído a uma das suas cercas (${fences}).`,
  tagNotUsed: (tag) => `As regras da etiqueta ${tag} não podem ser aplicadas: nenhum veículo tem esta etiqueta.`,
  moreFences: (fences, count) => `${fences} e mais ${count}`,
  moreRules: (count, shown) =>
    `Mais ${plural(count, shown, "regra não pode ser aplicada", "regras não podem ser aplicadas")}.`,
  conflict: "Outra pessoa alterou isto nesse meio-tempo",
  conflictFields: (fields) => `Alterado desde que foi aberto: ${fields}.`,
  nowValue: (field, value) => `${field} (agora: ${value})`,
  nowEmpty: (field) => `${field} (agora vazio)`,
  nothingLost: "Suas alterações não se perdem.",
  keep: "Manter e ocultar",
  removing: "Removendo…",
  removeAnyway: "Remover mesmo assim",
  erase: "Apagar para sempre",
  eraseAnyway: "Apagar mesmo assim",
  keepMine: "Salvar a minha versão mesmo assim",
  takeTheirs: "Usar a outra versão",
  managedByFile: "Do arquivo da frota. Se você o alterar aqui, o arquivo não o sobrescreve mais.",
  managedByPortal: "Alterado aqui. O arquivo da frota não o sobrescreve mais.",
  cannotUndo: "Isto não pode ser desfeito.",
};
