import type { Profile } from '../../service/models/profile.ts';
import { displayName, visibleName } from '../../text/plain.ts';
import { rememberingNames } from '../kit/lines.ts';

const loginName = rememberingNames((username) => displayName(null, username));
const inGameName = rememberingNames(visibleName);

/** A driver's card is named for the in-game name; the login name stands above it where it differs. */
export function cardHeading({ username, nickname }: Pick<Profile, 'username' | 'nickname'>): {
  readonly title: string;
  readonly author?: string;
} {
  const author = loginName(username);
  const title = (nickname === null ? null : inGameName(nickname)) ?? author;
  return title === author ? { title } : { title, author };
}
