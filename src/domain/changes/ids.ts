/** The id of a frame, and of a reading of it: the same for the same frame, whenever it is told. */
export function positionId(deviceId: string, { recordedAt, digest }: { recordedAt: number; digest: number }): string {
  return `${deviceId}/${recordedAt.toString(36)}-${digest.toString(36)}`;
}

export function readingId(frameId: string, kind: string, sensor: string): string {
  return `${frameId}/${kind}/${sensor}`;
}

/** Mileage has no id of its own: it is named by its device and date. */
export function mileageId(deviceId: string, date: string): string {
  return `${deviceId}/${date}`;
}
