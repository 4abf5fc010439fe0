import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "Iniciar sesión",
  welcome: "Sus vehículos en el mapa, sus claves para los datos.",
  signedOut: "La sesión terminó. Inicie sesión para continuar.",
  email: "Correo electrónico",
  password: "Contraseña",
  signingIn: "Iniciando sesión…",
  or: "o",
  with: (name) => `Iniciar sesión con ${name}`,
  noAccount: "Este servidor aún no tiene cuenta",
  noAccountText:
    "Quien arrancó el servidor tiene un enlace para crearla. Se mostró al arrancar, o está en el archivo setup-link de su carpeta de datos. Abra ese enlace.",
  forgot: "¿Contraseña olvidada?",
  askOwner:
    "¿Contraseña olvidada? El titular de la cuenta puede enviar un enlace para elegir otra. Los titulares lo piden a quien gestiona este servicio.",
  forgotTitle: "Una nueva contraseña",
  forgotWhat: "Se envía por correo un enlace para elegirla.",
  sendLink: "Enviar un enlace",
  sending: "Enviando…",
  sent: "Si la dirección es de alguien de aquí, el correo con el enlace está en camino. Funciona una sola vez, durante 24 horas.",
  back: "Volver al inicio de sesión",
};
