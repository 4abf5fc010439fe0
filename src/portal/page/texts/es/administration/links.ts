import type { AdministrationTexts } from "../../administration-texts.ts";

export const links: AdministrationTexts["links"] = {
  title: "Enlace",
  invitation: "Bienvenida",
  reset: "Elegir una nueva contraseña",
  invitedTo: (account) => `Invitación a ${account}. Al elegir una contraseña se inicia la sesión.`,
  resetOf: (account) => `Es para el acceso a ${account}. Después se cierran todas las demás sesiones.`,
  for: "Para",
  password: "Nueva contraseña",
  again: "Repetir la nueva contraseña",
  length: "De 8 a 200 caracteres.",
  notTheSame: "Las dos no coinciden.",
  use: "Guardar e iniciar sesión",
  using: "Guardando…",
  worksUntil: (time) => `El enlace funciona una sola vez, hasta el ${time}.`,
  useless: "Este enlace no funciona",
  uselessWhy: "Ya se ha usado, ha caducado o lo ha sustituido otro más reciente.",
  uselessWhat: "Hay que pedir otro a quien lo envió. Con una contraseña se puede iniciar sesión.",
  signIn: "Ir al inicio de sesión",
};
