import type { AdministrationTexts } from "../../texts.ts";

export const drivers: AdministrationTexts["drivers"] = {
  title: "Motoristas",
  about:
    "Quem dirige, se um rastreador lê um chaveiro ou um cartão. Os nomes aparecem nas viagens e nos relatórios, e são vistos por quem vê o veículo.",
  add: "Adicionar motorista",
  nobody: "Ainda não há motoristas",
  nobodyWhat:
    "Dê nome a um identificador que um rastreador enviou, ou adicione um motorista com o identificador impresso no chaveiro.",
  noIds: "Sem chaveiro nem cartão",
  unnamedTitle: "Identificadores sem nome",
  unnamedWhat: "Os rastreadores enviaram estes há pouco. Diga de quem são: viagens e relatórios mostram na hora.",
  seen: (id: string, time: string) => `${id}, enviado pela última vez ${time}`,
  nameThis: "Dar nome",
  nameWhich: (id: string) => `Dar nome: ${id}`,
  name: "Nome",
  ids: "Identificadores de chaveiros e cartões",
  idsHint: "Como o rastreador os envia, por exemplo 0000001A2B3C4D5E. Cada um é de um só motorista.",
  newId: "Outro identificador",
  removeId: (id: string) => `Remover ${id}`,
  edit: "Editar",
  editWho: (name: string) => `Editar ${name}`,
  saved: (name: string) => `${name}: salvo`,
  erase: "Apagar",
  eraseWho: (name: string) => `Apagar ${name} para sempre`,
  eraseTitle: (name: string) => `Apagar ${name} para sempre?`,
  eraseWhat:
    "O nome é apagado. Viagens e relatórios mostram só o identificador; o registro mantém suas entradas, sem o nome. Para trazer uma pessoa de volta, adicione-a de novo.",
  erased: (name: string) => `${name}: apagado`,
};
