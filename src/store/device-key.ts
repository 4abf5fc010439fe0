/** A device by the numbers that key its rows. */
export interface DeviceKey {
  readonly accountId: number;
  readonly device: number;
}
