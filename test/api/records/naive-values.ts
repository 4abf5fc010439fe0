export const instant = (ms: number) => new Date(ms).toISOString();
export const instantOrNull = (ms: number | null) => (ms === null ? null : instant(ms));
const scaled = (value: number | null, scale: number) => (value === null ? null : value / scale);
export const degrees = (e7: number | null) => scaled(e7, 1e7);
export const milli = (value: number | null) => scaled(value, 1000);
export const flag = (value: number | boolean | null) => (value === null ? null : Boolean(value));
export const device = (row: { device_id: string; imei: string }) => ({ device_id: row.device_id, imei: row.imei });
