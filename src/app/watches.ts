/** What commands want of the alerts. */
import type { Wanted } from '../cards/watch/alert-text.ts';
import type { Listed } from '../cards/watch/watch-list-card.ts';
import type { CreatedWatch, Watched } from '../cards/watch/watch-text.ts';
import type { Service } from '../service/client.ts';

/** Who asks, and where. */
interface Asker {
  readonly id: string;
  readonly guildId: string | null;
  readonly mayManage: boolean;
}

/** What a person decides of a watch. */
interface NewWatch {
  readonly person: string;
  readonly place:
    | { readonly kind: 'direct' }
    | {
        readonly kind: 'channel';
        readonly guild: string;
        readonly channel: string;
        /** The role to ping; null for none. */
        readonly role: string | null;
      };
  readonly condition: Wanted;
  /** BCP 47: of the alerts. */
  readonly locale: string;
  /** IANA. */
  readonly zone: string;
  /** Whether it may alert in the quiet hours, too. */
  readonly atNight: boolean;
}

/** One message as soon as a server has a free slot. */
interface NewReminder {
  readonly person: string;
  readonly locale: string;
  readonly server: string;
  /** Where it is asked for. */
  readonly channel: string;
  /** It ends then, in unix milliseconds. */
  readonly until: number;
}

type Created =
  | ({ readonly kind: 'created' } & CreatedWatch)
  | { readonly kind: 'too-many' | 'guild-full' | 'full' }
  /** It could never come; `slots`: how many the server has, null where the service does not say. */
  | { readonly kind: 'never'; readonly server: string; readonly slots: number | null }
  | { readonly kind: 'forbidden'; readonly player: string }
  /** Nothing can be posted in the channel. */
  | { readonly kind: 'missing'; readonly rights: readonly string[] }
  | { readonly kind: 'unknown-channel' | 'unavailable' };

/** Rejects where the store fails. */
export interface Watches {
  /**
   * Looks up through `service` what is true already. Rejects with a `ServiceError` for a name that the service does not
   * know. The same watch again replaces the earlier one.
   */
  create(asked: NewWatch, service: Service, now: number): Promise<Created>;
  /** Replaces the person's earlier one for that server. */
  remind(asked: NewReminder, now: number): Promise<'added' | 'too-many' | 'guild-full' | 'full'>;
  /** The person's own by direct message, and those of the guild that they ask in if they manage it. */
  list(asker: Asker): Promise<{ readonly own: readonly Listed[]; readonly here: readonly Listed[] }>;
  /** Resolve with those that were there and that the person may change. */
  stop(ids: readonly string[], asker: Asker): Promise<readonly Watched[]>;
  snooze(ids: readonly string[], asker: Asker, now: number): Promise<readonly Watched[]>;
  /** Resumes whatever of {@link list} is paused. */
  resume(asker: Asker): Promise<void>;
  /** The person is in another time zone (IANA): their own alerts by direct message are quiet by that. */
  moveTo(person: string, zone: string): Promise<void>;
  /** Why the person's alerts have been paused, said once; null: nothing to say. */
  takePauseNotice(person: string): Promise<'closed' | 'gone' | 'rights' | null>;
}
