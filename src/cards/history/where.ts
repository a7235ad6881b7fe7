import { LiveServer } from '../../service/models/live-status.ts';

/** One server, or all of them together. */
export const places = ['all', ...LiveServer.options] as const;
export type Where = (typeof places)[number];
