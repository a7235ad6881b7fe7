import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';

/** People on all the guilds. */
export interface Crowd {
  /** Somebody makes a board in each guild's second channel. */
  makeBoards(): Promise<void>;
  /** Somebody asks something somewhere, four times a second, until the returned function is called. */
  ask(): () => void;
}

const EVERY = 250;

export function createCrowd(chat: LocalChat, random: () => number): Crowd {
  const one = <T>(all: readonly T[]): T => {
    const picked = all[Math.floor(random() * all.length)];
    if (picked === undefined) throw new Error('there is nobody');
    return picked;
  };

  return {
    async makeBoards() {
      const [maker = ''] = chat.people;
      const made = chat.guilds.map(({ channels: [here, there] }) => {
        const options = [{ name: 'channel', value: there?.id ?? '' }];
        return chat.visitor(maker).invoke(here?.id ?? '', 'board create', options);
      });
      for (const { message } of await Promise.all(made))
        if (message === null || !/live board/.test(message.content))
          throw new Error(`no board: ${JSON.stringify(message)}`);
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
