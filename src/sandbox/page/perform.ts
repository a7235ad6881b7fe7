import type { ChatServer } from '../chat/chat-server.ts';
import type { Outcome, Visitor } from '../chat/visitor/visitor.ts';
import type { DataService } from '../service/data-service.ts';
import { viewOfMembers } from './chat-view.ts';
import { viewOfOutcome } from './form-view.ts';
import type { Action, Answer, Happened } from './protocol.ts';

interface Needs {
  readonly visitor: Visitor;
  readonly chat: ChatServer;
  readonly dataService: DataService;
}

/** Does what the page asks. What Discord's client would not allow is refused. */
export async function perform(action: Action, needs: Needs): Promise<Answer> {
  try {
    return await act(action, needs);
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function act(action: Action, { visitor, chat, dataService }: Needs): Promise<Answer> {
  const ended = (outcome: Outcome): Answer => ({ ok: true, outcome: viewOfOutcome(outcome, chat) });
  switch (action.type) {
    case 'say':
      visitor.say(action.channelId, withMentions(action.content, chat));
      return { ok: true };
    case 'complete': {
      const { channelId, command, options, focused } = action;
      const choices = await visitor.complete(channelId, command, options, focused);
      return { ok: true, choices: choices.map(({ name, value }) => ({ name, value })) };
    }
    case 'invoke':
      return ended(await visitor.invoke(action.channelId, action.command, action.options));
    case 'invoke-on':
      return ended(await visitor.invokeOn(action.channelId, action.entry, action.personId));
    case 'press':
      return ended(await visitor.press(action.messageId, action.customId, action.values));
    case 'submit':
      return ended(await visitor.submit(action.interactionId, action.filled));
    case 'fault':
      if (action.side === 'chat') chat.setFault(action.name, action.on);
      else dataService.setFault(action.name, action.on);
      return { ok: true };
    case 'happen':
      return { ok: true, happened: happen[action.what](dataService) };
    case 'drive-as': {
      const facts = dataService.driveAs(action.driver, action.name);
      return { ok: true, happened: { what: 'new-name', facts } };
    }
    case 'advance':
      dataService.advance(action.seconds);
      return { ok: true };
  }
}

/** Events of the game, where they can happen. */
const happen: Record<Exclude<Happened['what'], 'new-name'>, (dataService: DataService) => Happened> = {
  'full-server': (dataService) => ({ what: 'full-server', facts: dataService.fillServer() }),
  'car-offer': (dataService) => ({ what: 'car-offer', facts: dataService.offerCar() }),
  'licence-expiry': (dataService) => ({ what: 'licence-expiry', facts: dataService.expireLicence() }),
};

/** As Discord's client sends them: `@Claire` becomes a mention of the member with that name. */
function withMentions(content: string, chat: ChatServer): string {
  const ids = new Map(viewOfMembers(chat).map(({ id, name }) => [name.toLowerCase(), id]));
  // The longest first: one name may begin with another.
  const names = [...ids.keys()].toSorted((a, b) => b.length - a.length).map((name) => RegExp.escape(name));
  const named = new RegExp(`(?<![\\p{L}\\p{N}])@(${names.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return content.replace(named, (typed: string, name: string) => {
    const id = ids.get(name.toLowerCase());
    return id === undefined ? typed : `<@${id}>`;
  });
}
