/** The sandbox's data service as tests, the demo and its page use it. The bot knows only its address and a key. */

export interface ServiceFault {
  readonly name: string;
  /** For the page. */
  readonly label: string;
  readonly on: boolean;
}

/** One request as it arrived. */
export interface ServedRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly status: number;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface DataService {
  /** For SERVICE_URL. */
  readonly url: string;
  /** A client key (720 in 3600 seconds) that it accepts. */
  readonly key: string;
  /** Oldest first. */
  readonly requests: readonly ServedRequest[];
  readonly faults: readonly ServiceFault[];
  setFault(name: string, on: boolean): void;
  /** Some drivers and VINs of the world, for the page's hints and for tests: those with the most to show first. */
  readonly drivers: readonly string[];
  readonly vins: readonly string[];
  /** Lets `seconds` of the community's life pass at once. */
  advance(seconds: number): void;
  close(): Promise<void>;
}
