/** What is left of a key's limits. */
export interface Quota {
  readonly perDay: number;
  readonly leftToday: number;
  /** Seconds until the day's counter begins anew. */
  readonly resetS: number;
  readonly perSecond: number;
  readonly leftThisSecond: number;
}

/** Null where an answer does not say it, such as one of a proxy. */
export function quotaOf(headers: Headers): Quota | null {
  const figure = (name: string) => Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN);
  const quota = {
    perDay: figure("Limit"),
    leftToday: figure("Remaining"),
    resetS: figure("Reset"),
    perSecond: figure("Limit-Second"),
    leftThisSecond: figure("Remaining-Second"),
  };
  return Object.values(quota).some(Number.isNaN) ? null : quota;
}
