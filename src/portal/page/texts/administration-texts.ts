import type { administration } from "./en/administration/index.ts";

/** The texts of the pages with which a fleet is run. Others never load them. */
export type AdministrationTexts = typeof administration;
