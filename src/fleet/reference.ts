import { Failure } from "../domain/errors.ts";

/** A line that is valid by itself but contradicts the store or other lines. */
export function doesNotFit(line: number, field: string, problem: string): Failure {
  return new Failure("FLEET_FILE_INVALID", `line ${line}: field "${field}": ${problem}`);
}
