/** How long history is kept, in ms. */
import { DAY } from '../../base/duration.ts';

/** A year and the month to compare it with. */
export const YEAR_MS = 400 * DAY;
/** The longest span of a ranking but the whole time, and a day. */
export const MONTH_MS = 31 * DAY;
/** Age up to which a count says something about tonight. */
export const USUAL_SPAN_MS = 56 * DAY;
/** Prices of cars. */
export const OFFERS_MS = 60 * DAY;
