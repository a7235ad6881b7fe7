/** The sandbox is away. */
export const LOST = 'The sandbox does not answer';
export const REFUSED = 'Discord would not send this';

export function number(value: number): string {
  return value.toLocaleString('en-GB');
}

/** With the unit spelt out: "10 minutes". */
export function unit(value: number, name: 'minute' | 'hour' | 'byte'): string {
  return value.toLocaleString('en-GB', { style: 'unit', unit: name, unitDisplay: 'long' });
}
