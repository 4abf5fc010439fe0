/** Equates spellings that differ in case: lower, then upper case, which also equates ß with SS and both small sigmas. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase().toUpperCase().normalize("NFC");
}

/** No name contains a control character. One in a needle could match across two fields, and PostgreSQL refuses NUL. */
export function matchesNoText(needle: string): boolean {
  return /\p{Cc}/u.test(needle);
}

/** The fields of a device that are searched, one per line: a needle with a line break matches nothing. */
export function deviceSearchText(device: { name: string; imei: string; plate: string | null }): string {
  return foldCase([device.name, device.imei, device.plate ?? ""].join("\n"));
}
