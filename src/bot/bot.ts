import type { mentioningCommands } from '../app/command-mentions.ts';
import type { RecentNamesMemory } from '../app/names/recent-names.ts';
import type { createViewers } from '../app/viewer.ts';
import type { createLiveBoards } from '../board/live-boards.ts';
import type { ConvoyRequests } from '../convoys/convoy-requests.ts';
import type { Connection } from '../discord/connection.ts';
import type { Commands } from '../discord/publish/load.ts';
import type { createPublisher } from '../discord/publish/publish.ts';
import type { createNotifier } from '../discord/send/direct-message.ts';
import type { openHistory } from '../history/open-history.ts';
import type { createTranslators } from '../i18n/translator.ts';
import type { HiddenDrivers } from '../people/hidden-drivers.ts';
import type { RoleRequests } from '../roles/role-requests.ts';
import type { DataService } from '../service/open-data-service.ts';
import type { Cluster } from '../shards/cluster.ts';
import type { Stores } from '../store/stores.ts';
import type { createStates } from './states.ts';
import type { StoreHealth } from './watch-store.ts';

type DriverHistory = ReturnType<typeof openHistory>;

/** The parts of the bot, in the order in which they are made. */
export interface Bot {
  readonly store: Stores;
  readonly storeHealth: () => StoreHealth;
  readonly states: ReturnType<typeof createStates>;
  readonly recentNames: RecentNamesMemory;
  readonly connection: Connection;
  readonly cluster: Cluster;
  readonly hidden: HiddenDrivers;
  readonly history: DriverHistory['history'];
  readonly pastAt: DriverHistory['pastAt'];
  readonly lookUps: DriverHistory['lookUps'];
  readonly forgetDriver: DriverHistory['forgetDriver'];
  readonly dataService: DataService;
  readonly translatorFor: ReturnType<typeof createTranslators>;
  readonly boards: ReturnType<typeof createLiveBoards>;
  readonly commands: Commands;
  readonly publisher: ReturnType<typeof createPublisher>;
  /** Translators of answers, where the commands that they name can be tapped. */
  readonly answersIn: ReturnType<typeof mentioningCommands>;
  readonly viewerOf: ReturnType<typeof createViewers>;
  readonly roles: {
    readonly requests: RoleRequests;
    /** Until the end. */
    start(): void;
  };
  readonly convoys: {
    readonly requests: ConvoyRequests;
    /** Until the end. */
    start(): void;
  };
  readonly notify: ReturnType<typeof createNotifier>;
}
