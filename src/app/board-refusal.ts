import type { Boards } from '../board/boards.ts';
import type { Translator } from '../i18n/translator.ts';

type Created = Awaited<ReturnType<Boards['create']>>;
type Refused =
  | Exclude<Created, { posted: unknown }>
  | Exclude<Awaited<ReturnType<Boards['test']>>, { kind: 'ok' }>;

/** Why a channel has no new board, and what to do. */
export function boardRefusal(refused: Refused, channelId: string, t: Translator): string {
  const channel = `<#${channelId}>`;
  if (refused.kind === 'missing') {
    const rights = refused.rights.map((right) => t(`board.right.${right}`)).join(', ');
    return t('board.why.missing', { channel, rights });
  }
  const key = `board.why.${refused.kind}` as const;
  return t(key, { channel });
}
