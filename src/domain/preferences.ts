/** How a person wants to read the portal. The API stays metric and in UTC, whatever is chosen here. */
export const preferenceChoices = {
  language: ["en", "es", "pt", "de"],
  /** Speeds follow: km/h or mph. */
  distance: ["km", "mi"],
  /** Litres, US gallons or imperial gallons. */
  volume: ["l", "gal", "imp_gal"],
  temperature: ["c", "f"],
  /** Hours of the clock. */
  clock: ["24", "12"],
  week_start: ["monday", "sunday", "saturday"],
} as const;

export type PreferenceName = keyof typeof preferenceChoices;

/** Null: not chosen. A person's own choice is above the account's, and that above the usual. */
export type Preferences = {
  readonly [Name in PreferenceName]: (typeof preferenceChoices)[Name][number] | null;
};

export const noPreferences: Preferences = {
  language: null,
  distance: null,
  volume: null,
  temperature: null,
  clock: null,
  week_start: null,
};
