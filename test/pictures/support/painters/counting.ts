/** Draws nothing: answers with the number of charts that it has got; a chart of lines is never answered. */
import { Chart } from '../../../../src/pictures/chart.ts';

let count = 0;
process.on('disconnect', () => process.exit());
process.on('message', (message) => {
  count += 1;
  if (Chart.parse(message).kind !== 'lines')
    process.send?.({ kind: 'drawn', png: new TextEncoder().encode(String(count)) });
});
