import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Figure } from './figure.ts';
import { figures } from './figures.ts';
import { type ProcessSample, processFigures } from './process-figures.ts';
import type { Sample } from './sample.ts';

/** How late the event loop came to a timer that is set all the time, in ms. */
export interface Delays {
  readonly count: number;
  readonly longest: number;
  /** How many of them were no longer than that. */
  atMost(ms: number): number;
}

export interface Metrics {
  count(interaction: {
    /** Of a command that there is, so that strangers cannot make labels. */
    readonly command: string;
    readonly outcome: string;
    /** Milliseconds until Discord had the first response; null where it took none. */
    readonly acknowledgedAfter: number | null;
  }): void;
  /** Counts how late the event loop was. */
  delayed(delays: Delays): void;
  /** The text that Prometheus reads. `sample`: null during the start. */
  text(sample: Sample | null, ofProcess: ProcessSample): Promise<string>;
  readonly contentType: string;
}

/** In seconds. Commands defer their reply after 0.4, and Discord gives up after 3. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 3];
/** In seconds. No work of the bot's may take more than 0.02 at once; a second late, and it is not healthy. */
const DELAYS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const interactions = new Counter({
    registers,
    name: 'pitwall_interactions_total',
    labelNames: ['command', 'outcome'],
    help: 'Commands, buttons and menus by outcome: answered, declined (the person can change the question), unavailable (data service or store), failed (a bug, or Discord accepted no reply).',
  });
  const acknowledged = new Histogram({
    registers,
    name: 'pitwall_acknowledgement_seconds',
    buckets: BUCKETS,
    help: 'Time from an interaction to its first response that Discord has accepted.',
  });
  const loopDelays = new Histogram({
    registers,
    name: 'pitwall_event_loop_delay_seconds',
    buckets: DELAYS,
    help: 'How late the event loop comes to a timer that is due 50 times a second, rounded up to the next bound; counted every ten seconds.',
  });
  let sample: Sample | null = null;
  let ofProcess: ProcessSample | null = null;
  for (const figure of figures) register(figure, registry, () => sample);
  for (const figure of processFigures) register(figure, registry, () => ofProcess);

  return {
    count({ command, outcome, acknowledgedAfter }) {
      interactions.inc({ command, outcome });
      if (acknowledgedAfter !== null) acknowledged.observe(acknowledgedAfter / 1000);
    },
    delayed({ count, longest, atMost }) {
      let counted = 0;
      // Each as the bound that it does not exceed.
      const upTo = (most: number, seconds: number): void => {
        for (; counted < most; counted += 1) loopDelays.observe(seconds);
      };
      for (const seconds of DELAYS) upTo(atMost(seconds * 1000), seconds);
      upTo(count, longest / 1000);
    },
    async text(newSample, newOfProcess) {
      sample = newSample;
      ofProcess = newOfProcess;
      const text = await registry.metrics();
      return text.replaceAll('\n\n', '\n');
    },
    contentType: registry.contentType,
  };
}

/** The parts of the bot count for themselves; what they have counted is read at each scrape. */
function register<Source>(
  { name, help, kind, labels = [], read }: Figure<Source>,
  registry: Registry,
  source: () => Source | null,
): void {
  const settings = { name, help, labelNames: labels, registers: [registry] };
  const points = () => {
    const now = source();
    return now === null ? [] : read(now);
  };
  if (kind === 'counter')
    new Counter({
      ...settings,
      collect() {
        this.reset();
        this.remove({});
        for (const { labels: of = {}, value } of points()) this.inc(of, value);
      },
    });
  else
    new Gauge({
      ...settings,
      collect() {
        this.reset();
        this.remove({});
        for (const { labels: of = {}, value } of points()) this.set(of, value);
      },
    });
}
