import type { Observation, Observe } from "./observation.ts";

/** Seconds. A poll takes some tens of microseconds, a page less than a few milliseconds; the rest is trouble. */
const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface Histogram {
  readonly counts: number[];
  sum: number;
  total: number;
}

export interface Metrics {
  readonly observe: Observe;
  /** The Prometheus text format. */
  render(): string;
}

/** A sink that counts observations. Routes come from the route table, so the number of series is bounded. */
export function createMetrics(): Metrics {
  const requests = new Map<string, number>();
  const latencies = new Map<string, Histogram>();
  const totals = new Map<Observation["kind"], number>();

  return {
    observe(observation) {
      totals.set(observation.kind, (totals.get(observation.kind) ?? 0) + 1);
      if (observation.kind !== "request_answered") return;
      const labels = `route="${observation.route}",status="${observation.status}"`;
      requests.set(labels, (requests.get(labels) ?? 0) + 1);
      let histogram = latencies.get(observation.route);
      if (!histogram) {
        histogram = { counts: latencyBuckets.map(() => 0), sum: 0, total: 0 };
        latencies.set(observation.route, histogram);
      }
      addTo(histogram, observation.durationMs / 1000);
    },

    render() {
      const memory = process.memoryUsage();
      return [
        ...series("odograph_requests_total", "counter", "Requests answered.", requests),
        ...histogramSeries("odograph_request_seconds", "Time to answer a request.", latencies),
        ...series("odograph_observations_total", "counter", "Facts observed, by kind.", byKind(totals)),
        ...series("process_resident_memory_bytes", "gauge", "Resident memory.", new Map([["", memory.rss]])),
        ...series("process_uptime_seconds", "gauge", "Time since start.", new Map([["", process.uptime()]])),
        "",
      ].join("\n");
    },
  };
}

function addTo(histogram: Histogram, seconds: number): void {
  const bucket = latencyBuckets.findIndex((limit) => seconds <= limit);
  if (bucket >= 0) histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1;
  histogram.sum += seconds;
  histogram.total++;
}

function byKind(totals: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...totals].map(([kind, count]) => [`kind="${kind}"`, count]));
}

function series(name: string, type: string, help: string, values: ReadonlyMap<string, number>): string[] {
  if (values.size === 0) return [];
  const lines = [...values].map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function histogramSeries(name: string, help: string, histograms: ReadonlyMap<string, Histogram>): string[] {
  if (histograms.size === 0) return [];
  const lines = [...histograms].flatMap(([route, { counts, sum, total }]) => {
    let below = 0;
    const buckets = latencyBuckets.map((limit, index) => {
      below += counts[index] ?? 0;
      return `${name}_bucket{route="${route}",le="${limit}"} ${below}`;
    });
    return [
      ...buckets,
      `${name}_bucket{route="${route}",le="+Inf"} ${total}`,
      `${name}_sum{route="${route}"} ${sum}`,
      `${name}_count{route="${route}"} ${total}`,
    ];
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines];
}
