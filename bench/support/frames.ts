/** A frame as a gateway sends it, of a vehicle that alternately drives for seven minutes and stands for three. */
export function frameOf(imei: string, vehicle: number, step: number, at: number): object {
  const isDriving = step % 60 < 42;
  const distance = Math.floor(step / 60) * 42 + Math.min(step % 60, 42);
  return {
    imei,
    recorded_at: new Date(at).toISOString(),
    latitude: rounded(45 + vehicle * 0.01 + distance * 0.0009, 6),
    longitude: rounded(10 + Math.sin(distance / 10) * 0.01, 6),
    altitude_m: 120.5,
    speed_kmh: isDriving ? 36 + ((step * 7 + vehicle) % 10) : 0,
    heading_deg: (step * 3) % 360,
    accuracy_m: 5,
    satellites: 11,
    hdop: 0.9,
    ignition: isDriving,
    odometer_km: rounded(1000 + distance * 0.1, 3),
    battery_percent: 98,
    external_voltage_v: 13.8,
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

const everyMs = 10_000;

/**
 * Bodies for `POST /frames`: each of `size` frames, of as many vehicles as fit, one after the other. All vehicles send
 * every ten seconds, and the last frame of all is of `lastAt`.
 */
export function frameBodies(
  imeis: readonly string[],
  bodies: { readonly size: number; readonly count: number; readonly lastAt: number },
): string[] {
  const { size, count, lastAt } = bodies;
  const steps = Math.ceil((count * size) / imeis.length);
  const firstAt = lastAt - steps * everyMs;
  return Array.from({ length: count }, (_, body) => {
    const frames = Array.from({ length: size }, (_, item) => {
      const index = body * size + item;
      const vehicle = index % imeis.length;
      const step = Math.floor(index / imeis.length);
      return frameOf(imeis[vehicle] ?? "", vehicle, step, firstAt + step * everyMs + vehicle);
    });
    return JSON.stringify(frames);
  });
}

/** All frames of one vehicle over some time, for a burst of them. */
export function framesOfOne(imei: string, count: number, firstAt: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, step) => frameOf(imei, 0, step, firstAt + step * everyMs)));
}
