import { Failure } from "../../domain/errors.ts";

/** A line that is valid by itself but contradicts the store or other lines. */
export class DoesNotFit extends Failure {
  readonly field: string;
  readonly problem: string;

  constructor(line: number, field: string, problem: string) {
    super("FLEET_FILE_INVALID", `line ${line}: field "${field}": ${problem}`);
    this.field = field;
    this.problem = problem;
  }
}

export function doesNotFit(line: number, field: string, problem: string): DoesNotFit {
  return new DoesNotFit(line, field, problem);
}
