/** Keeps the processor busy, in ms, whatever time a test tells: one that stands still would keep it busy for ever. */
export function keepBusy(ms: number): void {
  const end = process.hrtime.bigint() + BigInt(ms * 1e6);
  while (process.hrtime.bigint() < end);
}
