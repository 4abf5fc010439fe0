import { metresToKm } from "../../formats/units.ts";
import { reported } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { fuelReport, temperatureReport } from "../kit/sensors.ts";
import { decimalOf, namesOfFilled, timeOfDigits } from "../kit/text-values.ts";
import { meaningOfEvent, tagRead } from "./events.ts";
import { ignitionOfInputs, type MeitrackModel } from "./models.ts";
import { supplyVolts } from "./voltages.ts";

type Report = Pick<DecodedMessage<unknown>, "frames" | "problem" | "leftOut" | "unread">;

/** From here on, a temperature is a signed number in hundredths; before, a whole part and hundredths. */
const hundredthsVersion = 3;

/**
 * Event, latitude, longitude, time, validity, satellites, signal, km/h, degrees, dilution, altitude, metres, seconds, cell, inputs and
 * outputs, measurements; then what the event says, what the owner chose, the version, fuel, temperatures. Null: no such columns.
 */
export function readTextReport(columns: readonly string[], model: MeitrackModel | null): Report | null {
  const [code = "", latitude, longitude, clock = "", validity = ""] = columns;
  if (!/^\d{1,3}$/.test(code) || !/^[AV]$/.test(validity)) return null;
  const [satellites, signal, speed, course, hdop, altitude, metres, seconds, cell, ports = "", analogue = "", ...more] =
    columns.slice(5);
  const [eventData = "", chosen, version = "", fuel = "", temperatures = "", ...others] = more;
  const { events, ignition, unread } = meaningOfEvent(Number(code));
  const isHere = validity === "A";
  const distance = decimalOf(metres);
  const supply = supplyOf(analogue, model);
  // The upper half of the ports are inputs.
  const byInput = /^[\da-fA-F]{4}$/.test(ports) ? ignitionOfInputs(Number.parseInt(ports, 16) >> 8, model) : null;
  const isTag = Number(code) === tagRead && /[^0]/.test(eventData);
  const level = fuelOf(fuel);
  const sensors = [...(level === null ? [] : [fuelReport("fuel", level)]), ...temperaturesOf(temperatures, version)];
  const read = {
    fix: isHere,
    ...(isHere
      ? {
          latitude: decimalOf(latitude),
          longitude: decimalOf(longitude),
          speed_kmh: decimalOf(speed),
          heading_deg: decimalOf(course),
          altitude_m: decimalOf(altitude),
          hdop: decimalOf(hdop),
        }
      : {}),
    satellites: decimalOf(satellites),
    ignition: ignition ?? byInput,
    // A tracker that does not count writes 0.
    odometer_km: distance === null || distance === 0 ? null : metresToKm(distance),
    external_voltage_v: supply,
    driver_id: isTag ? eventData : null,
    sensors,
  };
  return {
    ...reported(timeOfDigits(clock.slice(0, 6), clock.slice(6), "ymd"), read, events),
    unread: [
      ...unread,
      ...namesOfFilled({
        "old place": isHere ? "" : `${latitude}${longitude}${speed}${course}${altitude}`,
        signal,
        "time of running": seconds,
        "cell tower": cell,
        "inputs and outputs": ports,
        "analogue inputs": supply === null ? analogue : analogue.split("|").slice(0, -1).join(""),
        "data of the event": isTag ? "" : eventData,
        "columns of the owner": chosen,
        "version of the protocol": version,
        "columns at the end": `${level === null ? fuel : ""}${others.join("")}`,
      }),
    ],
  };
}

/** The last two measurements are the tracker's battery and the vehicle; of models that write volts with a point, the first two. */
function supplyOf(analogue: string, model: MeitrackModel | null): number | null {
  const values = analogue.split("|");
  const [battery = "", vehicle = ""] = values.length === 5 && values[0]?.includes(".") ? values : values.slice(-2);
  if (battery.includes(".") && vehicle.includes(".")) return decimalOf(vehicle);
  if (values.length < 5 || !/^[\da-fA-F]{1,4}$/.test(vehicle)) return null;
  const cell = /^[\da-fA-F]{1,4}$/.test(battery) ? Number.parseInt(battery, 16) : null;
  return supplyVolts(cell, Number.parseInt(vehicle, 16), model);
}

/** Percent: a whole part and hundredths, each as two hex digits. 0 is what trackers without a sensor send. */
function fuelOf(text: string): number | null {
  const match = /^([\da-fA-F]{2})([\da-fA-F]{2})$/.exec(text);
  if (match === null || /^0+$/.test(text)) return null;
  return Number.parseInt(match[1] ?? "", 16) + Number.parseInt(match[2] ?? "", 16) / 100;
}

/** `06FB2E|07…`: the number of the sensor, then its value. */
function temperaturesOf(text: string, version: string) {
  return text.split("|").flatMap((part) => {
    const match = /^([\da-fA-F]{2})([\da-fA-F]{4})$/.exec(part);
    if (match === null) return [];
    const raw = (Number.parseInt(match[2] ?? "", 16) << 16) >> 16;
    const isHundredths = Number(version) >= hundredthsVersion;
    const celsius = isHundredths ? raw / 100 : (raw >> 8) + ((raw >> 8 < 0 ? -1 : 1) * (raw & 0xff)) / 100;
    return [temperatureReport(`temp_${Number.parseInt(match[1] ?? "", 16)}`, celsius)];
  });
}
