import type { Config } from '../base/config.ts';
import { barParts } from '../cards/kit/bar-parts.ts';
import { createAppEmoji } from '../discord/app-emoji.ts';
import { createRestOnce } from '../discord/rest-once.ts';
import type { EmojiOf } from '../i18n/translator.ts';
import type { Discord } from './open-discord.ts';
import type { Outside } from './open-memory.ts';

/** How long to wait for a response, and from the start to the first request: nobody waits for a bar. In ms. */
const PATIENCE = 7000;
const AFTER = 3000;

interface OpenedEmoji {
  readonly of: EmojiOf;
  /** To be called once the bot runs. */
  keep(): void;
}

/** The emoji that bars are drawn with; none where the operator wants none. */
export function openAppEmoji(
  { discord: { token, apiUrl, appEmoji } }: Config,
  { clock, log, keeper, connection }: Outside & Pick<Discord, 'keeper' | 'connection'>,
  open: AsyncDisposableStack,
): OpenedEmoji {
  if (!appEmoji) return { of: () => null, keep: () => {} };
  const { ask, close } = createRestOnce({ token, apiUrl, patience: PATIENCE });
  const wanted = barParts().map((part) => ({
    name: part.name,
    // Loaded only where one is missing: mostly once in the application's life.
    draw: async () => (await import('../pictures/draw-bar-part.ts')).drawBarPart(part),
  }));
  const emoji = createAppEmoji({
    ...{ ask, wanted, clock, log, applicationId: connection.applicationId },
    uploads: () => keeper.keeps(null),
  });
  open.defer(close);
  open.defer(emoji.stop);
  return {
    of: emoji.of,
    keep: () => open.defer(clock.after(AFTER, emoji.keep)),
  };
}
