import type { AdministrationTexts } from "../../texts.ts";

export const streets: AdministrationTexts["streets"] = {
  title: "Calles",
  what: "Calles para el mapa. Vienen de un archivo con su región, que está en este servidor; no se consulta ningún otro servicio.",
  inUse: "El mapa tiene calles.",
  notSetUp: "Las calles aún no están configuradas. El mapa muestra costas, fronteras y poblaciones.",
  seeMap: "Ver el mapa",
  byOperator: "Lo configuran quienes administran este servidor",
  operatorReasons: {
    several_accounts:
      "Varias cuentas comparten este servidor, así que quienes lo administran configuran las calles para todas. Envíeles el enlace de abajo.",
    several_nodes:
      "Este servidor guarda sus datos en PostgreSQL y puede funcionar en varias máquinas; cada una necesita el archivo. Lo configuran quienes lo administran; envíeles el enlace de abajo.",
    configured:
      "Quienes administran este servidor han elegido de dónde viene el mapa. Pueden cambiarlo en los ajustes del servidor.",
  },
  instructions: "Calles en cinco minutos (en inglés)",
  get: "1. Consiga un archivo de su región",
  getWhat:
    "Protomaps crea cada día un mapa del mundo a partir de OpenStreetMap. Su programa gratuito pmtiles recorta su región, en cualquier ordenador.",
  getProgram: "Descargar el programa pmtiles",
  getLine:
    "Después ejecute esta línea. El recuadro rodea sus vehículos; cámbielo si también circulan por otros lugares.",
  sizes: "Una ciudad ocupa de 20 a 100 MB, un país de 0,5 a 6 GB.",
  upload: "2. Súbalo",
  uploadWhat: (room) =>
    `Un archivo que termine en .pmtiles, de ${room} como máximo. El mapa lo muestra en cuanto se ha comprobado; no hay que reiniciar nada.`,
  choose: "Elegir el archivo",
  progress: (name) => `Subiendo ${name}`,
  sent: (sent, all) => `${sent} de ${all}`,
  done: (name) => `${name} está en uso. El mapa tiene calles.`,
  leaveQuestion: "¿Salir de esta página? La subida se interrumpe.",
  files: "Archivos en uso",
  remove: "Quitar",
  removeQuestion: (name) => `¿Quitar ${name}? El mapa dejará de mostrar sus calles.`,
  removed: (name) => `${name} quitado`,
  problems: {
    no_archive: "Este archivo no es PMTiles. Elija el archivo que ha creado pmtiles.",
    cut_off: "El archivo está incompleto: termina antes de tiempo. Créelo o cópielo de nuevo.",
    no_vector_tiles: "Este archivo contiene imágenes, no teselas vectoriales. Use un mapa de Protomaps.",
    no_roads: "Este archivo no tiene calles que el mapa pueda dibujar. Use un mapa de Protomaps.",
    damaged: "El archivo está dañado o es de una versión anterior. Compruébelo con pmtiles verify.",
    too_large: "El archivo es demasiado grande. Recorte una región más pequeña o añada --maxzoom=14.",
    no_room:
      "En el disco del servidor no hay sitio para este archivo. Recorte una región más pequeña o libere espacio.",
    too_many: "Hay demasiados archivos. Quite uno primero.",
    busy: "Hay otra subida en curso. Espere a que termine.",
    gone: "La subida se interrumpió. Empiece de nuevo.",
    out_of_order: "La subida se interrumpió. Empiece de nuevo.",
  },
};
