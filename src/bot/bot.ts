import type { mentioningCommands } from '../app/command-mentions.ts';
import type { RecentNames, RecentNamesMemory } from '../app/names/recent-names.ts';
import type { createViewers } from '../app/viewer.ts';
import type { createLiveBoards } from '../board/live-boards.ts';
import type { Notices } from '../deliveries/notices.ts';
import type { Notify } from '../deliveries/notify.ts';
import type { SendOnce } from '../deliveries/send-once.ts';
import type { Connection } from '../discord/connection.ts';
import type { Commands } from '../discord/publish/load.ts';
import type { createPublisher } from '../discord/publish/publish.ts';
import type { openHistory } from '../history/open-history.ts';
import type { createTranslators } from '../i18n/translator.ts';
import type { createGuildDrivers } from '../people/guild-drivers.ts';
import type { HiddenDrivers } from '../people/hidden-drivers.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { DataService } from '../service/open-data-service.ts';
import type { Shards } from '../shards/shards.ts';
import type { Forgetter } from '../store/forget.ts';
import type { Stores } from '../store/stores.ts';
import type { createFeatures } from './features.ts';
import type { createStates } from './states.ts';
import type { StoreHealth } from './watch-store.ts';

type DriverHistory = ReturnType<typeof openHistory>;

/** The parts of the bot, in the order in which they are made. */
export interface Parts extends DriverHistory {
  readonly store: Stores;
  readonly storeHealth: () => StoreHealth;
  readonly forgetter: Forgetter;
  readonly states: ReturnType<typeof createStates>;
  readonly recentNames: RecentNamesMemory;
  readonly connection: Connection;
  readonly shards: Shards;
  readonly translatorFor: ReturnType<typeof createTranslators>;
  readonly hidden: HiddenDrivers;
  /** The recent names without those of hidden drivers. */
  readonly shownNames: RecentNames;
  readonly guildDrivers: ReturnType<typeof createGuildDrivers>;
  readonly dataService: DataService;
  readonly features: ReturnType<typeof createFeatures>;
  readonly boards: ReturnType<typeof createLiveBoards>;
  readonly commands: Commands;
  readonly publisher: ReturnType<typeof createPublisher>;
  /** Translators of answers, where the commands that they name can be tapped. */
  readonly answersIn: ReturnType<typeof mentioningCommands>;
  readonly viewerOf: ReturnType<typeof createViewers>;
  readonly sendOnce: SendOnce;
  readonly notices: Notices;
  readonly notify: Notify;
  readonly pictures: Pictures;
}

export type Bot = Parts;
