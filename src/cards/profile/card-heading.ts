import type { Profile } from '../../service/models/profile.ts';
import { displayName } from '../../text/plain.ts';

/** A driver's card is named for the in-game name; the login name stands above it where it differs. */
export function cardHeading({ username, nickname }: Pick<Profile, 'username' | 'nickname'>): {
  readonly title: string;
  readonly author?: string;
} {
  const title = displayName(nickname, username);
  const author = displayName(null, username);
  return title === author ? { title } : { title, author };
}
