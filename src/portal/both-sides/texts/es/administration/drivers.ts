import type { AdministrationTexts } from "../../texts.ts";

export const drivers: AdministrationTexts["drivers"] = {
  title: "Conductores",
  about:
    "Quién conduce, si un rastreador lee un llavero o una tarjeta. Los nombres aparecen en los viajes y los informes, y los ve quien ve el vehículo.",
  add: "Añadir un conductor",
  nobody: "Aún no hay conductores",
  nobodyWhat:
    "Ponga nombre a un identificador que envió un rastreador, o añada un conductor con el identificador impreso en su llavero.",
  noIds: "Sin llavero ni tarjeta",
  unnamedTitle: "Identificadores sin nombre",
  unnamedWhat:
    "Los rastreadores los enviaron hace poco. Diga de quién son: los viajes y los informes lo muestran enseguida.",
  seen: (id: string, time: string) => `${id}, enviado por última vez ${time}`,
  nameThis: "Poner nombre",
  nameWhich: (id: string) => `Poner nombre: ${id}`,
  name: "Nombre",
  ids: "Identificadores de llaveros y tarjetas",
  idsHint: "Tal como los envía el rastreador, por ejemplo 0000001A2B3C4D5E. Cada uno es de un solo conductor.",
  newId: "Otro identificador",
  removeId: (id: string) => `Quitar ${id}`,
  edit: "Editar",
  editWho: (name: string) => `Editar ${name}`,
  saved: (name: string) => `${name}: guardado`,
  erase: "Borrar",
  eraseWho: (name: string) => `Borrar ${name} para siempre`,
  eraseTitle: (name: string) => `¿Borrar ${name} para siempre?`,
  eraseWhat:
    "El nombre se borra. Los viajes y los informes muestran solo el identificador; el registro conserva sus entradas, sin el nombre. Para que vuelva una persona, añádala de nuevo.",
  erased: (name: string) => `${name}: borrado`,
};
