import type { HeatMap, LineChart } from '../../../src/pictures/chart.ts';

/** The same numbers every time, from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A week of hours, with an outage and two hours around a lone reading that are missing. */
export function weekOfLines(): LineChart {
  const random = numbers(7);
  const drivers = Array.from({ length: 168 }, (_, hour) => {
    if ((hour > 50 && hour < 62) || hour === 100 || hour === 102) return null;
    return Math.round(60 + 50 * Math.sin(((hour - 9) / 12) * Math.PI) + 20 * random());
  });
  const most = Math.max(...drivers.map((count) => count ?? 0));
  return {
    kind: 'lines',
    series: [
      { label: 'Drivers', values: drivers },
      { label: 'Police', values: drivers.map((count) => (count === null ? null : (count * random()) / 6)) },
    ],
    across: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((label, day) => ({ at: day / 7, label })),
    up: [0, 50, 100, 150].map((at) => ({ at, label: String(at) })),
    peak: { index: drivers.indexOf(most), value: most, label: String(most) },
    gap: 'no data',
  };
}

/** With the letters that only the second file of the font has, and a legend of two lines. */
export function polishWeek(): HeatMap {
  const random = numbers(11);
  const rows = ['pon.', 'wt.', 'śr.', 'czw.', 'pt.', 'sob.', 'niedz.'].map((label, day) => ({
    label,
    cells: Array.from({ length: 24 }, (_, hour) =>
      day === 2 && hour > 3 && hour < 8
        ? null
        : 0.45 + 0.4 * Math.sin(((hour - 14) / 12) * Math.PI) + 0.15 * random(),
    ),
  }));
  return {
    kind: 'heat-map',
    rows,
    across: [0, 6, 12, 18].map((at) => ({ at, label: `${at}:00` })),
    scale: { low: '0', high: '142 kierowców' },
    framed: { label: 'najlepsza pora dziś', cells: [20, 21].map((column) => ({ row: 3, column })) },
    gap: 'brak danych',
  };
}
