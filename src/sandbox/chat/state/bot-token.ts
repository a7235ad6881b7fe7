import { randomBytes } from 'node:crypto';

export interface BotToken {
  readonly value: string;
  /** Whether it is the token, and still accepted. */
  accepts(given: string): boolean;
  /** From now on it is refused everywhere. */
  reset(): void;
}

export function createBotToken(value: string): BotToken {
  let isReset = false;
  return {
    value,
    accepts: (given) => !isReset && given === value,
    reset() {
      isReset = true;
    },
  };
}

/** Formed like a real token and new for every server, so that finding it anywhere proves a leak. */
export function inventToken(botId: string): string {
  const part = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
  return `${Buffer.from(botId).toString('base64url')}.${part(6)}.${part(38)}`;
}
