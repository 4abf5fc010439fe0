import { describe, expect, test } from "bun:test";
import { alertKind, alertTypes } from "../../src/domain/alert-types.ts";
import type { EpisodeType } from "../../src/domain/alerts/episode.ts";
import { alertSentence, typeWords } from "../../src/portal/both-sides/alerts/alert-words.ts";
import type { Alert } from "../../src/portal/both-sides/contract/data.ts";
import { Show, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import * as de from "../../src/portal/both-sides/texts/de/index.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import * as es from "../../src/portal/both-sides/texts/es/index.ts";
import * as pt from "../../src/portal/both-sides/texts/pt/index.ts";
import type { Language } from "../../src/portal/both-sides/texts/texts.ts";

const all = { en, es, pt, de };
const languages = Object.keys(all) as Language[];

function sentence(alert: Alert, language: Language = "en", units = {}): string | null {
  const show = new Show(language, all[language], { ...usualUnits, ...units }, "UTC");
  return alertSentence(alert, all[language].alerts, show);
}

/** As the rules make it. */
function derived(alert_type: EpisodeType, value: number | null, threshold: number | null, sensor = ""): Alert {
  const { message, unit } = alertKind(alert_type);
  const found = { name: sensor, value, threshold, unit };
  return { alert_type, message: message(found), value, threshold, unit } as Alert;
}

function alert(fields: Partial<Alert>): Alert {
  return { value: null, threshold: null, unit: null, ...fields } as Alert;
}

describe("an alert in words", () => {
  test("has the person's units", () => {
    const speeding = derived("speeding", 97, 90);
    expect(sentence(speeding)).toBe("97 km/h where 90 km/h is allowed");
    expect(sentence(speeding, "en", { distance: "mi" })).toBe("60 mph where 56 mph is allowed");
    expect(sentence(speeding, "de")).toBe("97 km/h, erlaubt sind 90 km/h");
    const warm = derived("temperature_high", 9.4, 8, "cargo");
    expect(sentence(warm, "en", { temperature: "f" })).toBe("48.9 °F at cargo, above 46.4 °F");
    const drain = alert({ alert_type: "fuel_drain", message: "40 L taken from tank, left", value: 40, unit: "L" });
    expect(sentence(drain, "en", { volume: "gal" })).toBe("10.6 gal taken from tank, left");
    expect(sentence({ ...drain, message: "12.5 % taken from tank", value: 12.5, unit: "%" })).toBe(
      "12.5 % taken from tank",
    );
  });

  test("names the sensor and the fence in every language, as the message does", () => {
    const named: Alert[] = [
      ...(["temperature_high", "temperature_low", "tyre_pressure_low", "tyre_temperature_high"] as const).map((type) =>
        derived(type, 9, 8, "Box, rear"),
      ),
      alert({ alert_type: "geofence_enter", message: "Entered Box, rear" }),
      alert({ alert_type: "geofence_exit", message: "Left Box, rear" }),
      alert({ alert_type: "fuel_refill", message: "9 L filled into Box, rear", value: 9, unit: "L" }),
    ];
    for (const one of named) {
      const words = languages.map((language) => sentence(one, language));
      expect(words.every((text) => text?.includes("Box, rear"))).toBe(true);
      expect(new Set(words).size).toBe(languages.length);
    }
    const unnamed = alert({ alert_type: "geofence_enter", message: "Entered a geofence" });
    expect(sentence(unnamed, "es")).toBe("Entró en una geocerca");
  });

  test("tells what lasts from what is over", () => {
    expect(sentence(derived("idling", null, 600))).toBe("The engine has been running at a standstill for over 10 min");
    expect(sentence(derived("idling", 720, 600))).toBe("The engine ran at a standstill for 12 min");
  });

  test("is the API's message where this page knows no better, and nothing where the type says it all", () => {
    expect(sentence(alert({ alert_type: "door_open", message: "the rear door is open" }))).toBe(
      "The rear door is open",
    );
    expect(sentence(alert({ alert_type: "speeding", message: "too fast" }))).toBe("Too fast");
    expect(sentence(alert({ alert_type: "door_open", message: "Door open" }))).toBeNull();
    expect(sentence(derived("harsh_braking", null, null))).toBeNull();
  });

  test("has a name of its own for every type in every language; SOS is written so", () => {
    for (const { alerts: words } of Object.values(all)) {
      const names = alertTypes.map((type) => typeWords(type, words));
      expect(new Set(names).size).toBe(alertTypes.length);
      expect(names).toContain("SOS");
      expect(typeWords("door_open", words)).toBe("Door open");
      expect(typeWords("constructor", words)).toBe("Constructor");
    }
  });
});
