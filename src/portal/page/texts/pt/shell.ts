import type { Texts } from "../texts.ts";

export const shell: Texts["shell"] = {
  opening: "Abrindo o portal",
  skip: "Pular para o conteúdo",
  views: "Páginas",
  yesterday: "Ontem",
  map: "Mapa",
  reports: "Relatórios",
  alerts: "Alertas",
  fleet: "Frota",
  keys: "Chaves",
  usage: "Uso",
  account: "Conta",
  menu: ", menu",
  owner: "Titular",
  subAccount: "Subconta",
  settings: "Frota, chaves e conta",
  showTimesIn: "Mostrar horas em",
  reference: "Referência da API",
  guide: "Guia",
  signOut: "Sair",
};
