import { setTimeout as pause } from 'node:timers/promises';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';

/** People on all the guilds. */
export interface Crowd {
  /** Somebody makes a board in each guild's second channel. */
  makeBoards(): Promise<void>;
  /** Somebody asks something somewhere, four times a second, until the returned function is called. */
  ask(): () => void;
}

const EVERY = 250;
const TRIES = 20;

export function createCrowd(chat: LocalChat, random: () => number): Crowd {
  const one = <T>(all: readonly T[]): T => {
    const picked = all[Math.floor(random() * all.length)];
    if (picked === undefined) throw new Error('there is nobody');
    return picked;
  };

  return {
    async makeBoards() {
      const [maker = ''] = chat.people;
      const made = chat.guilds.map(async ({ channels: [here, there] }) => {
        const options = [{ name: 'channel', value: there?.id ?? '' }];
        let said = '';
        for (let tries = 0; tries < TRIES && !/live board/.test(said); tries += 1) {
          // The guilds of a shard arrive after it has connected.
          if (tries > 0) await pause(EVERY);
          const { message } = await chat.visitor(maker).invoke(here?.id ?? '', 'board create', options);
          said = message?.content ?? '';
        }
        if (!/live board/.test(said)) throw new Error(`no board: ${said}`);
      });
      await Promise.all(made);
    },
    ask() {
      const asking = setInterval(() => {
        const channel = one(chat.guilds).channels[0]?.id ?? '';
        void chat.visitor(one(chat.people)).invoke(channel, 'servers', []);
      }, EVERY);
      return () => clearInterval(asking);
    },
  };
}
