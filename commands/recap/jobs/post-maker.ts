/** The person who turned a guild's posts on, and tells that person once about each refusal that lasts. */
import { z } from 'zod';
import { rightNames } from '../../../src/cards/board/right-name.ts';
import type { createTranslators, Translator } from '../../../src/i18n/translator.ts';
import type { Outbox } from '../../../src/messages/outbox/outbox.ts';
import { changeDocuments, type Transaction } from '../../../src/store/change.ts';
import {
  declareCollection,
  personalExport,
  readDocument,
  readNaming,
} from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';

/** `content`: Discord takes no message with this text. */
const causes = ['rights', 'gone', 'content'] as const;

export interface Refusal {
  readonly cause: (typeof causes)[number];
  /** Missing rights by Discord's own names; none if they look right. */
  readonly rights: readonly string[];
}

const PostMaker = z.object({
  madeBy: z.string(),
  /** Causes that the person was told of and that last, by channel. */
  refusals: z.record(z.string(), z.enum(causes)),
});

/** By guild. A guild whose maker was forgotten has none, and keeps its posts. */
export const postMakers = declareCollection({
  name: 'recap-post-makers',
  schema: PostMaker,
  unreadable: 'none',
  person: {
    forget: (maker, personId) => (maker.madeBy === personId ? null : maker),
    export: [
      personalExport({
        name: 'recapPosts',
        read: async (documents, personId): Promise<readonly { readonly guild: string }[]> =>
          [...(await readNaming(documents, postMakers, personId)).keys()].map((guild) => ({ guild })),
        lines: ({ length: n }, t) => [t('recap.stored.posts', { n })],
        question: (t) => t('recap.stored.postsQuestion'),
      }),
    ],
  },
});

/** As part of a transaction. Null: nobody any more. */
export function writePostMaker(transaction: Transaction, guild: string, madeBy: string | null): void {
  transaction.write(postMakers, guild, madeBy === null ? null : { madeBy, refusals: {} });
}

export type PostNotices = ReturnType<typeof createPostNotices>;

/** A direct message to the maker. The outbox sends it once, and tries for a day. */
export function createPostNotices(parts: {
  readonly documents: Documents;
  readonly outbox: Pick<Outbox, 'send'>;
  readonly translatorFor: ReturnType<typeof createTranslators>;
}) {
  const { documents, outbox, translatorFor } = parts;
  return {
    /** `period`: the post's, so that a cause that comes back has another message. */
    async tell(
      guild: string,
      { channel, locale }: { readonly channel: string; readonly locale: string },
      refusal: Refusal,
      period: string,
    ): Promise<void> {
      const maker = await readDocument(documents, postMakers, guild);
      const { cause } = refusal;
      if (maker === null || maker.refusals[channel] === cause) return;
      await outbox.send({
        kind: 'recap-notice',
        key: `recap ${guild} ${channel} ${cause} ${period}`,
        to: { kind: 'direct', personId: maker.madeBy },
        content: refusalText(channel, refusal, translatorFor(locale)),
        // One transaction stores the message and notes its cause.
        async isWanted(transaction) {
          const current = await transaction.read(postMakers, guild);
          if (current?.madeBy !== maker.madeBy || current.refusals[channel] === cause) return false;
          const refusals = { ...current.refusals, [channel]: cause };
          transaction.write(postMakers, guild, { ...current, refusals });
          return true;
        },
      });
    },
    /** A post was sent there: the person is told if it is refused again. */
    async settle(guild: string, channel: string): Promise<void> {
      const maker = await readDocument(documents, postMakers, guild);
      if (maker?.refusals[channel] === undefined) return;
      await changeDocuments(documents, async (transaction) => {
        const current = await transaction.read(postMakers, guild);
        if (current === null) return;
        const { [channel]: _, ...refusals } = current.refusals;
        transaction.write(postMakers, guild, { ...current, refusals });
      });
    },
  };
}

function refusalText(channelId: string, { cause, rights }: Refusal, t: Translator): string {
  const channel = `<#${channelId}>`;
  const reason =
    cause !== 'rights'
      ? t(`recap.refused.${cause}`, { channel })
      : rights.length === 0
        ? t('recap.refused.forbidden', { channel })
        : t('recap.refused.rights', { channel, rights: rightNames(rights, t) });
  return `${reason}\n${t('recap.refused.next')}`;
}
