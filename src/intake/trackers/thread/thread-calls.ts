import { type ErrorCode, Failure } from "../../../domain/errors.ts";
import { causeText } from "../../../observe/log.ts";

/** The functions that a thread has for another: plain data in, plain data out. */
type Functions<T> = { readonly [Name in keyof T]: (...args: never[]) => unknown };

interface Carried {
  readonly calls: [number: number, name: string, args: readonly unknown[]][];
  readonly answers: [number: number, result: unknown, failure: CarriedFailure | null][];
}

interface CarriedFailure {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly stack: string | undefined;
}

/**
 * Two threads call functions of each other. What is called and answered in a turn goes over together, as one text: many trackers
 * report in a turn, and a text is read in half the time that copying objects takes.
 */
export class ThreadCalls<Own extends Functions<Own>, Other extends Functions<Other>> {
  readonly #send: (text: string) => void;
  readonly #own: Own;
  readonly #called = new Map<number, PromiseWithResolvers<never>>();
  #gathered: Carried | null = null;
  #number = 0;
  #ended: Error | null = null;

  constructor(send: (text: string) => void, own: Own) {
    this.#send = send;
    this.#own = own;
  }

  /** Rejects as the other thread's function does, or if that thread is gone. */
  call<Name extends keyof Other & string>(
    name: Name,
    ...args: Parameters<Other[Name]>
  ): Promise<Awaited<ReturnType<Other[Name]>>> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const answer = Promise.withResolvers<never>();
    this.#called.set(++this.#number, answer);
    this.#gather().calls.push([this.#number, name, args]);
    return answer.promise;
  }

  /** What the other thread has sent. */
  take(text: string): void {
    const { calls, answers }: Carried = JSON.parse(text);
    for (const [number, name, args] of calls) this.#answer(number, name as keyof Own, args as never[]);
    for (const [number, result, failure] of answers) {
      const called = this.#called.get(number);
      this.#called.delete(number);
      if (failure === null) called?.resolve(result as never);
      else called?.reject(errorOf(failure));
    }
  }

  /** The other thread is gone: nothing will be answered any more. */
  end(error: Error): void {
    this.#ended = error;
    for (const { reject } of this.#called.values()) reject(error);
    this.#called.clear();
  }

  async #answer(number: number, name: keyof Own, args: never[]): Promise<void> {
    try {
      const result = await this.#own[name](...args);
      this.#gather().answers.push([number, result, null]);
    } catch (error) {
      this.#gather().answers.push([number, null, failureOf(error)]);
    }
  }

  #gather(): Carried {
    if (this.#gathered === null) setImmediate(() => this.#flush());
    this.#gathered ??= { calls: [], answers: [] };
    return this.#gathered;
  }

  #flush(): void {
    const text = JSON.stringify(this.#gathered);
    this.#gathered = null;
    this.#send(text);
  }
}

function failureOf(error: unknown): CarriedFailure {
  const code = error instanceof Failure ? error.code : null;
  return { code, message: causeText(error), stack: error instanceof Error ? error.stack : undefined };
}

/** With the stack of where it happened. */
function errorOf({ code, message, stack }: CarriedFailure): Error {
  const error = code === null ? new Error(message) : new Failure(code, message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
