import type { AdministrationTexts } from "../../texts.ts";

export const start: AdministrationTexts["start"] = {
  title: "Su primer vehículo en el mapa",
  what: "Puede salir en cualquier momento y seguir más tarde.",
  lookAround: "Mirar antes el portal",
  question: "¿Qué tiene usted?",
  other: "Otra cosa",
  have: {
    tracker: {
      title: "Un rastreador con tarjeta SIM",
      what: "Se conecta por sí mismo a este servidor. Elija el modelo, envíele unas líneas y vea cómo se conecta.",
    },
    phone: {
      title: "Un teléfono",
      what: "Una aplicación informa de dónde está: Traccar Client, OwnTracks u OsmAnd.",
    },
    gateway: {
      title: "Otra pasarela",
      what: "Traccar, un bróker MQTT o un programa propio envía aquí lo que le llega de los rastreadores.",
    },
    file: {
      title: "Una tabla de vehículos, o un archivo GPX o CSV",
      what: "Nombres e IMEI en un archivo CSV o en celdas para pegar; o viajes grabados en otro sitio.",
    },
    look: {
      title: "Nada aún, solo mirar",
      what: "Una flota inventada en una cuenta propia. No envía correos a nadie y se puede borrar en cualquier momento.",
    },
  },
  phoneImeiHint:
    "15 dígitos con los que se identifica la aplicación. Estos son inventados; cámbielos solo si la aplicación ya tiene otros.",
  fileDone: "Los vehículos ya están en la flota. Aparecen en el mapa en cuanto envían datos.",
  tableTitle: "Vehículos de una tabla",
  track: {
    title: "Un viaje grabado",
    what: "Los puntos de un archivo GPX, o de un archivo CSV con horas y posiciones. Se guardan como si el vehículo los hubiera enviado.",
    vehicle: "Vehículo",
    imeiHint: "Estos 15 dígitos son inventados. Escriba los del rastreador si también va a informar aquí.",
    file: "Archivo GPX o CSV",
    storing: (percent) => `Guardando: ${percent}`,
    stored: (count, shown) => (count === 1 ? "Se ha guardado un punto." : `Se han guardado ${shown} puntos.`),
    there: (shown) => `Ya estaban: ${shown}.`,
    leftOut: (shown, line) => `Omitidos: ${shown}, el primero en la línea ${line}.`,
    wrong: "No es ni un track GPX ni una tabla con horas y posiciones.",
    large: "Una línea de este archivo es demasiado larga para enviarla.",
    show: "Mostrar el viaje",
  },
  appStep: "Configurar la aplicación",
  appNumber: "Número de la aplicación",
  lookWhat:
    "43 vehículos inventados en Berlín y alrededores, con una semana de historial, conductores, alertas e informes. Tienen una cuenta aparte: nada se mezcla con sus datos y nadie recibe correos.",
  lookMake: "Crearla",
  lookMaking: "Se está creando; tarda alrededor de un minuto",
  lookReady: "Ya está lista.",
  lookEnter: "Verla",
  lookErase: "Borrarla",
  lookEnding: "Se está borrando",
  lookNot:
    "Este servidor solo la crea mientras tiene una única cuenta. En su propio ordenador puede tenerla siempre: npx odograph demo.",
};

export const keptMails: AdministrationTexts["keptMails"] = {
  title: "Correos",
  what: "Lo que habrían recibido por correo las personas de esta flota inventada. No se envió nada.",
  none: "Aún no hay correos",
  noneWhat: "Llegan con las próximas alertas e informes.",
  to: "Para",
  open: "Ver como en un buzón",
  files: "Archivos",
};
