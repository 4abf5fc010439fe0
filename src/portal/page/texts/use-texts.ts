import { useReading } from "../common/reading.tsx";
import type { Texts } from "./texts.ts";

export function useTexts(): Texts {
  return useReading().texts;
}
