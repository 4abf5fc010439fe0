const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const imei = /^[0-9]{14,16}$/;

/** Any version, either case: ids come from other people's systems. We store them in lower case. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** 14 to 16 digits. The check digit is not verified: many trackers ship with an IMEI that fails the Luhn sum. */
export function isImei(text: string): boolean {
  return imei.test(text);
}
