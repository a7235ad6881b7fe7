import { type Figure, inSeconds, one } from './figure.ts';

/** Of this process, in milliseconds and bytes. */
export interface ProcessSample {
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly cpu: number;
  readonly memory: { readonly rss: number; readonly heapUsed: number };
  /** The longest delay of the last ten to twenty seconds. */
  readonly eventLoopLag: number;
  readonly version: string;
}

export const processFigures: readonly Figure<ProcessSample>[] = [
  {
    name: 'process_start_time_seconds',
    help: 'When the process started, in unix seconds.',
    read: ({ startedAt }) => inSeconds(startedAt),
  },
  {
    name: 'process_cpu_seconds_total',
    help: 'CPU time that the process has used.',
    read: ({ cpu }) => inSeconds(cpu),
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    read: ({ memory: { rss } }) => one(rss),
  },
  {
    name: 'nodejs_heap_size_used_bytes',
    help: "What V8's heap holds; a leak shows in its lowest values, while resident memory is given back late.",
    read: ({ memory: { heapUsed } }) => one(heapUsed),
  },
  {
    name: 'nodejs_eventloop_lag_seconds',
    help: 'The longest delay of the event loop in the last ten to twenty seconds.',
    read: ({ eventLoopLag }) => inSeconds(eventLoopLag),
  },
  {
    name: 'pitwall_build_info',
    help: 'The version that runs; the value is always 1.',
    labels: ['version'],
    read: ({ version }) => [{ value: 1, labels: { version } }],
  },
];
