import { element } from './element.ts';

const styles: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
};

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** A time in the reader's language; style R is relative and stays up to date. */
export function drawTime(locale: string, seconds: number, style: string): HTMLElement {
  const moment = new Date(seconds * 1000);
  if (Number.isNaN(moment.getTime())) return element('span', { class: 'time' }, 'Invalid date');
  const full = moment.toLocaleString(locale, styles['F']);
  const made = element('time', { class: 'time', datetime: moment.toISOString(), title: full });
  if (style === 'R') {
    made.dataset['relative'] = String(seconds);
    // The text changes every second, which nobody wants to be told of.
    made.ariaLive = 'off';
  }
  made.textContent =
    style === 'R' ? relative(locale, seconds) : moment.toLocaleString(locale, styles[style] ?? styles['f']);
  return made;
}

function relative(locale: string, seconds: number): string {
  const distance = seconds - Date.now() / 1000;
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  for (const [unit, size] of units) {
    if (Math.abs(distance) >= size) return format.format(Math.round(distance / size), unit);
  }
  return format.format(Math.round(distance), 'second');
}

/** Updates relative times. */
export function keepTimesTrue(locale: string): void {
  setInterval(() => {
    for (const time of document.querySelectorAll<HTMLElement>('time[data-relative]')) {
      const text = relative(locale, Number(time.dataset['relative']));
      if (time.textContent !== text) time.textContent = text;
    }
  }, 1000);
}

/** As in a message header: the time today, date and time on other days. */
export function drawSentAt(locale: string, at: number): HTMLElement {
  const moment = new Date(at);
  const today = moment.toDateString() === new Date().toDateString();
  const text = today
    ? moment.toLocaleTimeString(locale, styles['t'])
    : moment.toLocaleString(locale, { dateStyle: 'short', timeStyle: 'short' });
  return element(
    'time',
    { class: 'sent', datetime: moment.toISOString(), title: moment.toLocaleString(locale, styles['F']) },
    text,
  );
}
