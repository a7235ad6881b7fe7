import { defineCommand } from '../src/app/command.ts';
import { readTurn } from '../src/cards/kit/paging.ts';
import { membersCard } from '../src/cards/members/members-card.ts';
import { UserError } from '../src/errors.ts';
import { chatStatus } from '../src/service/endpoints.ts';

/** Whoever presses *Refresh* wants nothing older (milliseconds). */
const REFRESH = { maxAge: 30_000 };

export default defineCommand({
  description: 'members.description',
  example: 'members.example',
  visibility: 'choice',
  options: {},

  async run(_args, { service, t }) {
    return membersCard(await service.get(chatStatus, {}), 0, t);
  },

  async onComponent({ action }, { service, t }) {
    const turn = readTurn(action);
    if (turn === null) throw new UserError(t('chat.oldButton'));
    const answer = await service.get(chatStatus, {}, turn.refresh ? REFRESH : undefined);
    return membersCard(answer, turn.page, t);
  },
});
