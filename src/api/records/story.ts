/** All examples are about one morning of one van in Berlin, so that ids can be followed from record to record. */
export const story = {
  deviceId: "5b0c3a1e-7f42-4c7b-9d2a-0e6f4a8b1207",
  imei: "356307042441013",
  name: "Sprinter 07",
  plate: "B-OD 1207",
  tripId: "8d1f6b1c-52a9-8e6e-b1a5-6f3c9d20e417",
  geofenceId: "c2a7e9d4-1b3f-4f0e-8a6d-93b5d7e1f052",
  geofenceName: "Berlin low-emission zone",
  driverId: "0000001A2B3C4D5E",
  driverName: "Amara Okafor",
  personId: "94c1d5b2-3e70-4f8a-9b16-d2a7c85e04f3",
  userId: "1e4d9c70-6a2b-4d53-b8f1-27c05ae3d961",
} as const;

export function thatMorning(time: `${number}:${number}:${number}`): number {
  return Date.parse(`2026-03-17T${time}Z`);
}
