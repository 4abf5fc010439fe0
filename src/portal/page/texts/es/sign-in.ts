import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "Iniciar sesión",
  welcome: "Sus vehículos en el mapa, sus claves para los datos.",
  signedOut: "La sesión terminó. Inicie sesión para continuar.",
  email: "Correo electrónico",
  password: "Contraseña",
  signingIn: "Iniciando sesión…",
  help: "¿Sin cuenta, o contraseña perdida? Pregunte a quienes operan este servicio.",
  or: "o",
  with: (name) => `Iniciar sesión con ${name}`,
  noAccount: "Este servidor aún no tiene cuenta",
  noAccountText:
    "Quien arrancó el servidor tiene un enlace para crearla. Se mostró al arrancar, o está en el archivo setup-link de su carpeta de datos. Abra ese enlace.",
};
