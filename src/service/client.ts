import type { Fault } from '../errors.ts';
import type { Endpoint, Priority } from './endpoints.ts';

/** One record, and how old it is. */
export interface Answer<Row> {
  readonly record: Row;
  /** Unix milliseconds at which the record was true. */
  readonly asOf: number;
  /** Null when the answer is as good as can be had; else why a newer one could not be: the record is the last good one. */
  readonly stale: Fault | 'slow' | null;
}

export interface Ask {
  /** Milliseconds: an answer older than this is asked for anew even if it still counts as fresh. */
  readonly maxAge?: number;
  /** Who waits; a person unless told otherwise. */
  readonly priority?: Priority;
}

/** The data service as the rest of the bot sees it. Rejects with a ServiceError and nothing else. */
export interface Service {
  get<Asked, Params, Row>(
    endpoint: Endpoint<Asked, Params, Row>,
    asked: Asked,
    ask?: Ask,
  ): Promise<Answer<Row>>;
}
