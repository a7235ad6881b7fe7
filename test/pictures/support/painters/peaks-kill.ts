/** A chart with a peak kills it, as a fault in native code would; it answers the others with its own process id. */
import { Chart } from '../../../../src/pictures/chart.ts';

process.on('disconnect', () => process.exit());
process.on('message', (message) => {
  const chart = Chart.parse(message);
  if (chart.kind === 'lines' && chart.peak !== null) process.kill(process.pid, 'SIGSEGV');
  else process.send?.({ kind: 'drawn', png: new TextEncoder().encode(String(process.pid)) });
});
