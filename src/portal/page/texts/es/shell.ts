import type { Texts } from "../texts.ts";

export const shell: Texts["shell"] = {
  opening: "Abriendo el portal",
  skip: "Saltar al contenido",
  views: "Vistas",
  yesterday: "Ayer",
  map: "Mapa",
  reports: "Informes",
  alerts: "Alertas",
  fleet: "Flota",
  keys: "Claves",
  usage: "Uso",
  account: "Cuenta",
  menu: ", menú",
  owner: "Titular",
  subAccount: "Subcuenta",
  settings: "Flota, claves y cuenta",
  showTimesIn: "Mostrar horas en",
  reference: "Referencia de la API",
  guide: "Guía",
  signOut: "Cerrar sesión",
};
