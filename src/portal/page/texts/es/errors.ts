import type { Texts } from "../texts.ts";

export const errors: Texts["errors"] = {
  pageFault: "Algo falló en esta página. Puede ayudar volver a cargarla.",
  unreachable: "No se puede conectar con el servidor. ¿Está en marcha, y hay conexión?",
  tooManyAttempts: (wait) => `Demasiados intentos. Espere ${wait} y vuelva a intentarlo.`,
  minutes: (count) => `${count} minutos`,
  seconds: (count) => `${count} segundos`,
  rateLimited: "Demasiadas consultas a la vez. Espere un momento y vuelva a intentarlo.",
  forbidden: "No tiene permiso para hacer esto.",
  notFound: "No existe, o no es visible para usted.",
  failed: "El servidor falló. Vuelva a intentarlo en un momento.",
  busy: "El servidor está ocupado. No se guardó nada; vuelva a intentarlo en un momento.",
  wrongSignIn: "El correo o la contraseña no son correctos.",
  noSuchPerson:
    "Nadie puede iniciar sesión aquí con ese correo. Pida una invitación al titular de la cuenta, y confirme el correo en el servicio con el que inicia sesión.",
  signInUnfinished: "El inicio de sesión no terminó, o tardó demasiado. Empiece de nuevo.",
  providerUnavailable: "El servicio con el que inicia sesión no responde. Inténtelo más tarde, o use la contraseña.",
  refused: "El servidor lo rechazó.",
  fields: {
    name: "Escriba de 1 a 100 caracteres, sin caracteres de control.",
    current_password: "Esta no es su contraseña.",
    new_password: "Elija otra contraseña, de 8 a 200 caracteres.",
    scopes: "Elija al menos uno.",
    expires_at: "Elija un día futuro.",
    per_second: "Escriba un número entero dentro del límite, o nada.",
    per_day: "Escriba un número entero dentro del límite, o nada.",
  },
};
