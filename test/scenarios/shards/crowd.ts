import { setTimeout as pause } from 'node:timers/promises';
import type { GuildPlace, LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import { serves } from '../../../src/sandbox/chat/guild/shard.ts';

/** People on all the guilds. */
export interface Crowd {
  /** Somebody makes a board in each guild's second channel. */
  makeBoards(): Promise<void>;
  /**
   * Somebody asks something thirty times a second, where a shard is being handed over if there is one, until the
   * returned function is called.
   */
  ask(): () => void;
}

/** In ms; short, since questions have to come in the moments in which a shard has two connections. */
const EVERY = 33;
const AGAIN = 250;
/** Sooner, they would need more requests than Discord takes in a second, and one that it refuses waits for ten seconds. */
const BETWEEN_BOARDS = 110;
const TRIES = 20;

export function createCrowd(chat: LocalChat, random: () => number): Crowd {
  const one = <T>(all: readonly T[]): T => {
    const picked = all[Math.floor(random() * all.length)];
    if (picked === undefined) throw new Error('there is nobody');
    return picked;
  };

  function isHandedOver({ id }: GuildPlace): boolean {
    return chat.sessions.filter(({ shard }) => serves(shard, id)).length > 1;
  }

  return {
    async makeBoards() {
      const [maker = ''] = chat.people;
      const made = chat.guilds.map(async ({ channels: [here, there] }, index) => {
        await pause(index * BETWEEN_BOARDS);
        const options = [{ name: 'channel', value: there?.id ?? '' }];
        let said = '';
        for (let tries = 0; tries < TRIES && !/live board/.test(said); tries += 1) {
          // The guilds of a shard arrive after it has connected.
          if (tries > 0) await pause(AGAIN);
          const { message } = await chat.visitor(maker).invoke(here?.id ?? '', 'board create', options);
          said = message?.content ?? '';
        }
        if (!/live board/.test(said)) throw new Error(`no board: ${said}`);
      });
      await Promise.all(made);
    },
    ask() {
      const asking = setInterval(() => {
        const handedOver = chat.guilds.filter(isHandedOver);
        const channel = one(handedOver.length > 0 ? handedOver : chat.guilds).channels[0]?.id ?? '';
        void chat.visitor(one(chat.people)).invoke(channel, 'servers', []);
      }, EVERY);
      return () => clearInterval(asking);
    },
  };
}
