import { Failure } from "../../domain/errors.ts";

/** A worker does not answer, or cannot be reached from the coordinator. */
export class WorkerFailure extends Failure {
  readonly worker: string;

  constructor(worker: string, options?: ErrorOptions) {
    const message = `the worker ${worker} of the Citus cluster does not answer: start it, or check the coordinator's way to it`;
    super("STORE_UNREACHABLE", message, options);
    this.worker = worker;
  }
}
