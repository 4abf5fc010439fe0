import { Failure } from "../domain/errors.ts";

/** A line that is right by itself but does not fit what is stored or what other lines say. */
export function doesNotFit(line: number, field: string, problem: string): Failure {
  return new Failure("FLEET_FILE_INVALID", `line ${line}: field "${field}": ${problem}`);
}
