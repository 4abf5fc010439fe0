import type { AdministrationTexts } from "../../texts.ts";

export const start: AdministrationTexts["start"] = {
  title: "El primer vehículo en el mapa",
  what: "Se puede salir en cualquier momento y seguir más tarde.",
  lookAround: "Mirar antes el portal",
  question: "¿Con qué se cuenta?",
  other: "Otra cosa",
  have: {
    tracker: {
      title: "Un rastreador con tarjeta SIM",
      what: "Llama por sí mismo a este servidor. Se elige el modelo, se le envían unas líneas y se ve cómo llega.",
    },
    phone: {
      title: "Un teléfono",
      what: "Una aplicación informa de dónde está: Traccar Client, OwnTracks u OsmAnd.",
    },
    gateway: {
      title: "Otra pasarela",
      what: "Traccar, un intermediario MQTT o un programa propio envía aquí lo que le llega de los rastreadores.",
    },
    file: {
      title: "Una tabla de vehículos",
      what: "Nombres e IMEI en un archivo CSV, o en celdas que se pegan.",
    },
    look: {
      title: "Nada aún, solo mirar",
      what: "Una flota inventada en una cuenta propia. No envía correos a nadie y se puede borrar en cualquier momento.",
    },
  },
  phoneImeiHint:
    "15 dígitos con los que se identifica la aplicación. Estos son inventados; solo hay que cambiarlos si ya tiene otros.",
  fileDone: "Los vehículos ya están en la flota. Aparecen en el mapa en cuanto envían datos.",
  appStep: "Configurar la aplicación",
  appNumber: "Número de la aplicación",
  lookWhat:
    "43 vehículos inventados en Berlín y alrededores, con una semana de historial, conductores, alertas e informes. Tienen una cuenta aparte: nada se mezcla con los datos propios y nadie recibe correos.",
  lookMake: "Crearla",
  lookMaking: "Se está creando; tarda alrededor de un minuto",
  lookReady: "Ya está lista.",
  lookEnter: "Verla",
  lookErase: "Borrarla",
  lookEnding: "Se está borrando",
  lookNot:
    "Este servidor solo la crea mientras tiene una única cuenta. En el ordenador propio la puede tener cualquiera: npx odograph demo.",
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
