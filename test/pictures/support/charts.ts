import type { BarChart, DriverCard, HeatMap, LineChart } from '../../../src/pictures/chart.ts';

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

/** A month of days with outages, one of them of a whole day, and days of which nothing or half is known. */
export function monthOfBars(): BarChart {
  const bars = Array.from({ length: 31 }, (_, day) => {
    if (day < 3) return { up: 0, down: 0 };
    if (day === 3) return { up: 0.5, down: 0 };
    if (day === 20) return { up: 0, down: 1 };
    const down = day % 6 === 0 ? 0.01 * day : 0;
    return { up: 1 - down, down };
  });
  return {
    kind: 'bars',
    bars,
    across: ['26 Oct', '1 Nov', '7 Nov', '13 Nov', '19 Nov'].map((label, index) => ({
      at: 0.1 + index * 0.2,
      label,
    })),
    labels: { up: 'up', down: 'down', gap: 'no data' },
  };
}

/** A name in all colours of the game, black and blue among them, and a week of which a day is not known. */
export function colourfulDriver(): DriverCard {
  const shares = [0.2, 0.5, null, 0.7, 0, 1, 0.4];
  return {
    kind: 'driver',
    community: 'Open Road Racing',
    name: [
      { text: '[', colour: null },
      { text: 'TC', colour: '#ff0000' },
      { text: '] ', colour: null },
      { text: 'Łu', colour: '#ffff00' },
      { text: 'ka', colour: '#0000ff' },
      { text: 'sz', colour: '#000000' },
      { text: ' Жук', colour: '#00ff00' },
    ],
    login: 'lukasz.zuk',
    isProved: true,
    flag: 'pl',
    aboutLine: 'Poland · Joined 31 Oct 2020',
    figures: [
      { value: '76,494 km', label: 'Distance', gain: '+862 km' },
      { value: '1,508 h', label: 'Online', gain: null },
      { value: '928 of 1,592', label: 'Chases won', gain: '+10' },
    ],
    rank: '#3 of 57 by chases won · 7 days',
    car: { label: 'Best car', value: 'FXO Turbo · 24,310 km · 98%' },
    week: {
      label: 'Online in 7 days: 17 h 02',
      days: ['Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun', 'Mon'].map((label, day) => ({
        label,
        share: shares[day] ?? null,
      })),
    },
    smallLines: ['As of 23 Nov · gains since 17 Nov'],
  };
}
