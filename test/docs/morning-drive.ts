import { moved } from "../support/ingest-drive.ts";

const depot = { latitude: 51.5072, longitude: -0.1276 };
const begin = Date.UTC(2026, 2, 3, 7);

/** A fleet file of frames: the drive that the pages explain, of the first device of their fleet. */
export function morningDrive(): string {
  const lines: string[] = [];
  let place = depot;
  const send = (second: number, fields: object) => {
    const times = { recorded_at: stamp(second), received_at: stamp(second + 2) };
    lines.push(JSON.stringify({ type: "frame", imei: "356307042441013", ...times, ...place, ...fields }));
  };
  for (let second = 0; second <= 600; second += 60) send(second, { speed_kmh: 0, ignition: false });
  const drive = (from: number, to: number) => {
    for (let second = from; second <= to; second += 10) {
      place = moved(place, 90, 90);
      send(second, { speed_kmh: 45.8, ignition: true });
    }
  };
  drive(640, 1000);
  // A delivery with the engine running.
  for (let second = 1030; second <= 1300; second += 30) {
    place = moved(place, second % 60 === 0 ? 4 : -4, 0);
    send(second, { speed_kmh: 0, ignition: true });
  }
  send(1310, { fix: false, latitude: null, longitude: null, ignition: true });
  drive(1320, 1500);
  for (let second = 1520; second <= 1820; second += 60) send(second, { speed_kmh: 0, ignition: false });
  return lines.map((line) => `${line}\n`).join("");
}

function stamp(second: number): string {
  return new Date(begin + second * 1000).toISOString();
}
