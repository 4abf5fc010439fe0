interface QueuedCall<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export interface SharedStatementOptions<Question, Answer> {
  readonly max: number;
  /** Answers the questions, in their order. If it fails, all of them fail. */
  readonly run: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  /** Questions of one key that wait for the same statement are one, with one answer. */
  readonly keyOf?: (question: Question) => string;
  /** For statements that cost much, however little they ask: resolves when the next may begin, after one that took so long. */
  readonly rest?: (tookMs: number) => Promise<unknown>;
}

const longestRestMs = 5;

/** The next waits as long as that took. Meanwhile more come that will share it. */
export function restAsLong(tookMs: number): Promise<void> {
  return Bun.sleep(Math.min(tookMs, longestRestMs));
}

/**
 * A statement that requests share: a caller that asks while one is under way waits for the next, which answers all that wait.
 * An answer is therefore never older than its question.
 */
export class SharedStatement<Question, Answer> {
  readonly #options: SharedStatementOptions<Question, Answer>;
  #waiting: QueuedCall<Question, Answer>[] = [];
  /** Of those that wait, by key. */
  readonly #answers = new Map<string, Promise<Answer>>();
  #isUnderWay = false;

  constructor(options: SharedStatementOptions<Question, Answer>) {
    this.#options = options;
  }

  ask(question: Question): Promise<Answer> {
    const key = this.#options.keyOf?.(question);
    if (key === undefined) return this.#queue(question);
    let answer = this.#answers.get(key);
    if (answer === undefined) {
      answer = this.#queue(question);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  #queue(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (this.#isUnderWay) return;
      this.#isUnderWay = true;
      // Requests that arrived together are handled one after another: the last of them shall share this one, too.
      setImmediate(() => void this.#runWhileAsked());
    });
  }

  async #runWhileAsked(): Promise<void> {
    while (this.#waiting.length > 0) {
      // From now on nobody may join: an answer must not be older than its question.
      this.#answers.clear();
      const batch = this.#waiting.splice(0, this.#options.max);
      const began = performance.now();
      await this.#runOnce(batch);
      // Who asks alone need not wait.
      if (batch.length > 1) await this.#options.rest?.(performance.now() - began);
    }
    // In the same step as the check: a question in between would start nothing and wait for ever.
    this.#isUnderWay = false;
  }

  async #runOnce(batch: readonly QueuedCall<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#options.run(batch.map(({ question }) => question));
      batch.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

interface GroupedOptions<Question, Answer> extends SharedStatementOptions<Question, Answer> {
  /** Questions of one group share statements. By default, those about one account. */
  readonly groupOf?: (question: Question) => string | number;
}

/** The same for questions about accounts, with a statement for each account, or group of them, that is asked about. */
export class StatementPerAccount<Question extends { readonly accountId: number }, Answer> {
  readonly #options: GroupedOptions<Question, Answer>;
  /** While a caller waits for it. */
  readonly #ofGroups = new Map<
    string | number,
    { readonly statement: SharedStatement<Question, Answer>; users: number }
  >();

  constructor(options: GroupedOptions<Question, Answer>) {
    this.#options = options;
  }

  async ask(question: Question): Promise<Answer> {
    const group = this.#options.groupOf?.(question) ?? question.accountId;
    const shared = this.#ofGroups.get(group) ?? { statement: new SharedStatement(this.#options), users: 0 };
    this.#ofGroups.set(group, shared);
    shared.users++;
    try {
      return await shared.statement.ask(question);
    } finally {
      shared.users--;
      if (shared.users === 0) this.#ofGroups.delete(group);
    }
  }
}
