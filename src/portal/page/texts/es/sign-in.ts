import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "Iniciar sesión",
  welcome: "Sus vehículos en el mapa, sus claves para los datos.",
  signedOut: "La sesión terminó. Inicie sesión para continuar.",
  email: "Correo electrónico",
  password: "Contraseña",
  signingIn: "Iniciando sesión…",
  help: "¿Sin cuenta, o contraseña perdida? Pregunte a quienes operan este servicio.",
};
