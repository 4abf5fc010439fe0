import type { Texts } from "../texts.ts";

export const trackerFaults: Texts["trackerFaults"] = {
  fast: (by) => `El reloj de su rastreador va adelantado ${by}.`,
  slow: (by) => `El reloj de su rastreador va atrasado ${by}.`,
  notBelieved:
    "Sus envíos parecen venir del futuro, así que se rechazan todos: no hay viajes, ni kilómetros, ni alertas.",
  wrongTimes: "Sus viajes, alertas y posiciones se muestran a horas equivocadas.",
  remedy: "Indique al portal qué muestra el reloj, y los envíos siguientes serán correctos:",
  set: (clock) => `ajustarlo a ${clock}`,
  ownerSets: "Solo el titular de la cuenta puede ajustarlo.",
  twins: {
    what: "Dos rastreadores usan su IMEI.",
    so: "Los envíos alternan entre dos lugares muy alejados. Uno tiene mal puesto el IMEI o una copia de los ajustes del otro; o uno sigue enviando una posición antigua. El vehículo sigue al que circula.",
  },
};
