import { useReading } from "./reading.tsx";
import type { Show } from "./show.ts";

export function useShow(): Show {
  return useReading().show;
}
