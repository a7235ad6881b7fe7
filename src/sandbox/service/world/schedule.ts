/** Something that does one thing after another and says itself when it is next. */
export interface Actor {
  /** Unix milliseconds of the world's time, at a whole second. */
  at: number;
  act(now: number): void;
}

/** Lets everything happen that is due by `until`, in the order of its time; at the same time in the list's order. */
export function play(actors: readonly Actor[], until: number): void {
  for (;;) {
    const next = earliest(actors);
    if (next.at > until) return;
    next.act(next.at);
  }
}

export function earliest(actors: readonly Actor[]): Actor {
  return actors.reduce((first, actor) => (actor.at < first.at ? actor : first));
}
