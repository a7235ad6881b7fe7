import { StoreError } from '../base/errors.ts';
import type { ProfilePast } from '../cards/history/gains.ts';
import type { History } from '../history/history.ts';

/** What a profile is compared with; null where the store fails, since the profile itself is worth showing. */
export async function profilePast(username: string, history: History): Promise<ProfilePast | null> {
  try {
    const [earlier, online] = await Promise.all([
      history.earlierReading(username),
      history.top('playtime', 'week'),
    ]);
    return { earlier, online };
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}
