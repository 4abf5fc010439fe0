import { Failure } from "../../src/domain/errors.ts";

/** The failure that the work ends with. Anything else, success included, is an error of the test. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const outcome = await work.then(
    () => "it succeeded",
    (error: unknown) => error,
  );
  if (outcome instanceof Failure) return outcome;
  throw new Error("expected a Failure", { cause: outcome });
}
