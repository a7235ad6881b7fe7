import { type StatName, statNames } from '../../../service/models/stats.ts';

/** The counted figures. The net value is not one: it is computed from a driver's possessions. */
export type Figures = Partial<Record<Exclude<StatName, 'net_value'>, number>>;

const counted = new Set<string>(statNames.filter((name) => name !== 'net_value'));

export const isFigure = (name: string): name is keyof Figures => counted.has(name);
