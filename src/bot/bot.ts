import type { mentioningCommands } from '../command-kit/command-mentions.ts';
import type { RecentNamesMemory } from '../command-kit/names/recent-names.ts';
import type { openHistory } from '../community/history/open-history.ts';
import type { Commands } from '../discord/publish/load.ts';
import type { createPublisher } from '../discord/publish/publish.ts';
import type { Core } from '../features/feature.ts';
import type { createLiveBoards } from '../messages/boards/live-boards.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { Forgetter } from '../store/forget.ts';
import type { OwnApplication } from '../store/owner.ts';
import type { Stores } from '../store/stores.ts';
import type { createFeatures } from './features.ts';
import type { createRepositories } from './repositories.ts';
import type { StoreHealth } from './watch-store.ts';

type DriverHistory = ReturnType<typeof openHistory>;

/** The parts of the bot: those that features may use, and the others. */
export interface Bot extends Core, Omit<DriverHistory, keyof Core> {
  readonly store: Stores;
  readonly storeHealth: () => StoreHealth;
  readonly application: OwnApplication;
  readonly forgetter: Forgetter;
  readonly repositories: ReturnType<typeof createRepositories>;
  readonly recentNames: RecentNamesMemory;
  readonly features: ReturnType<typeof createFeatures>;
  readonly boards: ReturnType<typeof createLiveBoards>;
  readonly pictures: Pick<Pictures, 'prepare' | 'draw'>;
  readonly commands: Commands;
  readonly publisher: ReturnType<typeof createPublisher>;
  /** Translators of answers, where the commands that they name can be tapped. */
  readonly answersIn: ReturnType<typeof mentioningCommands>;
}
