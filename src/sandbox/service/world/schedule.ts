/** Performs one action after another and says when the next one is due. */
export interface Actor {
  /** Unix milliseconds of the world's time, at a whole second. */
  at: number;
  act(now: number): void;
}

/** Runs everything due by `until`, by time; ties in list order. */
export function play(actors: readonly Actor[], until: number): void {
  for (;;) {
    const next = earliest(actors);
    if (next.at > until) return;
    next.act(next.at);
  }
}

function earliest(actors: readonly Actor[]): Actor {
  return actors.reduce((first, actor) => (actor.at < first.at ? actor : first));
}
