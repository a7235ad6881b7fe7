/** The door of a feature: what it brings, and which parts of the bot it may use. */

import type { Job } from '../base/job.ts';
import type { Runs } from '../base/runs.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Context, Person } from '../command-kit/context.ts';
import type { Features } from '../command-kit/features.ts';
import type { RecentNames } from '../command-kit/names/recent-names.ts';
import type { Reply } from '../command-kit/reply.ts';
import type { createViewers } from '../command-kit/viewer.ts';
import type { createGuildDrivers } from '../community/accounts/guild-drivers.ts';
import type { createGuildSettings } from '../community/accounts/guild-settings.ts';
import type { HiddenDrivers } from '../community/accounts/hidden-drivers.ts';
import type { Link, Links } from '../community/accounts/links.ts';
import type { createTimeZones } from '../community/accounts/time-zones.ts';
import type { History } from '../community/history/history.ts';
import type { Connection } from '../discord/connection.ts';
import type { Membership } from '../discord/interaction.ts';
import type { Texts } from '../i18n/catalogues.ts';
import type { createTranslators, TextKey, Translator } from '../i18n/translator.ts';
import type { KeptMessages } from '../messages/boards/kept-messages.ts';
import type { Outbox } from '../messages/outbox/outbox.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { DataService } from '../service/open-data-service.ts';
import type { Collection, Collections } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import type { Shards } from '../store/shards/shards.ts';
import type { Stores } from '../store/stores.ts';

/**
 * The parts of the bot that features may use. A part that only one feature needs is the feature's own. `Member`: the members of
 * the connection that a feature uses.
 */
export interface Core<Member extends keyof Connection = keyof Connection> {
  readonly store: Pick<Stores, 'documents'>;
  readonly repositories: {
    readonly guildSettings: ReturnType<typeof createGuildSettings>;
    readonly links: Pick<Links, 'of' | 'linked'>;
    readonly timeZones: ReturnType<typeof createTimeZones>;
  };
  readonly connection: Pick<Connection, Member>;
  readonly shards: Shards;
  readonly dataService: DataService;
  readonly history: History;
  readonly hidden: HiddenDrivers;
  /** The recent names without those of hidden drivers. */
  readonly shownNames: RecentNames;
  readonly guildDrivers: ReturnType<typeof createGuildDrivers>;
  readonly translatorFor: ReturnType<typeof createTranslators>;
  readonly viewerOf: ReturnType<typeof createViewers>;
  readonly outbox: Outbox;
  readonly pictures: Pick<Pictures, 'draw'>;
  /** The board runner, for the `messages` of a feature. */
  readonly boards: {
    /** Shows a change of that message. */
    changed(id: string): void;
    /** Begins or ends that message. Resolves with whether it is posted, when that is known. */
    syncMessage(id: string): Promise<boolean>;
  };
}

/** Services of the process, of which a feature has its own. */
export interface FeatureRuntime extends Runtime {
  /** Background work of the feature, which begins no more at the end. */
  readonly runs: Runs;
  /** Logs a failure with the name of the feature. */
  readonly failed: (error: unknown) => void;
}

/** Stored data of one kind that belongs to guilds. */
export interface Belongings {
  /** Guilds that have some; the same one perhaps several times. */
  guilds(): Promise<Iterable<string>>;
  /** Deletes what the guild made before then (unix milliseconds). Resolves with how much that was. */
  removeIn(guild: string, before: number): Promise<number>;
}

/** A feature of a running bot. */
export interface RunningFeature<Requests = unknown> {
  /** Requests of commands: `context.features.<name>`. Commands get this very object. */
  readonly requests: Requests;
  /** Messages that the board runner keeps up to date. */
  readonly messages?: KeptMessages;
  /** Work that is repeated from when commands are answered to the end. */
  readonly jobs?: readonly Job[];
  /** Stored data of guilds, which stay for a while after the bot has left one. */
  readonly belongings?: Belongings;
  /** A message for the person, after each answer; null: none. */
  afterwards?(person: Person, t: Translator): Promise<Reply | null>;
  /** An interaction has shown that member of a guild. */
  observeMember?(member: Membership): void;
}

/** The place of the demo's documents, and the members who use it: each an account and, if known, a driver. */
export interface DemoGuild {
  readonly guild: string;
  readonly channel: string;
  readonly members: readonly { readonly person: string; readonly username: string | null }[];
}

/** A choice in `/privacy` of people who have linked a driver. */
export interface PrivacyChoice extends Readonly<Record<'on' | 'off', ChoiceSide>> {
  /** Null: the person has no choice. */
  isOn(link: Link, context: Context): Promise<boolean | null>;
  set(isOn: boolean, context: Context): Promise<unknown>;
}

/** A side of a choice, with the button that chooses it. */
interface ChoiceSide {
  readonly action: string;
  readonly label: TextKey;
  /** A line of `/privacy` while this side is chosen. */
  readonly line?: TextKey;
  /** Returns the answer to a press; without it, `/privacy` is shown again. */
  confirm?(player: string, t: Translator): string;
}

/** A part of the bot that can be taken out: one folder with one door, `feature.ts`. */
export interface Feature<Requests = unknown> {
  /** English texts; `texts/<language>.json` beside the door has keys of them. */
  readonly texts: Texts;
  /** Everything that it stores as documents. Deletion and export of a person follow from it. */
  readonly collections: Collections;
  readonly privacy?: PrivacyChoice;
  /** The collection whose entries backup and restore count, and the noun of one entry and of several. */
  readonly counted?: {
    readonly collection: Collection<readonly unknown[]>;
    readonly one: string;
    readonly many: string;
  };
  /** Writes documents for the demo, before its bot starts. `now`: unix milliseconds. */
  writeDemo?(documents: Documents, guild: DemoGuild, now: number): Promise<void>;
  /**
   * Carries over what an earlier version has stored, before any feature is created. Nothing is left to do when it is called
   * again. Rejects where the store fails.
   */
  prepare?(documents: Documents): Promise<void>;
  /** Called once, before anything runs. */
  create(core: Core, runtime: FeatureRuntime): RunningFeature<Requests>;
}

/** A feature for each name in {@link Features}, and no other. */
export type FeatureList = { readonly [Name in keyof Features]: Feature<Features[Name]> };

/** Checks a door, and keeps its own type. */
export function defineFeature<const Door extends Feature>(door: Door): Door {
  return door;
}
