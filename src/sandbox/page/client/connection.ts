import type { Action, Answer, Push } from '../protocol.ts';

export interface Connection {
  ask(action: Action): Promise<Answer>;
}

/** A socket to the sandbox, which asks the bot in that language (BCP 47), and reconnects whenever it is lost. */
export function connect(
  language: string,
  listen: (push: Push) => void,
  changed: (open: boolean) => void,
): Connection {
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  const search = new URLSearchParams(location.search);
  search.set('lang', language);
  let socket = open();

  function open(): WebSocket {
    const made = new WebSocket(`ws://${location.host}/?${search}`);
    made.addEventListener('open', () => changed(true));
    made.addEventListener('message', ({ data }) => {
      const push: Push = JSON.parse(String(data));
      if (push.type !== 'answer') return listen(push);
      waiting.get(push.id)?.(push.answer);
      waiting.delete(push.id);
    });
    made.addEventListener('close', () => {
      changed(false);
      for (const give of waiting.values()) give({ ok: false, reason: null });
      waiting.clear();
      setTimeout(() => {
        socket = open();
      }, 1000);
    });
    return made;
  }

  return {
    ask(action) {
      if (socket.readyState !== WebSocket.OPEN) return Promise.resolve({ ok: false, reason: null });
      const id = ++last;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ id, action }));
      });
    },
  };
}
