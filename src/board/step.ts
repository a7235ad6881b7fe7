import type { Paused } from './state.ts';

/** The steps that a board can take. */
export type Step =
  /** Until that time or until woken. */
  | { readonly do: 'rest'; readonly until: number }
  /** Decisions, which only change the state. */
  | { readonly do: 'take-settings' | 'probe' | 'mark-notified' | 'choose-nonce' | 'take-ticket' }
  | { readonly do: 'pause'; readonly why: Paused['why']; readonly missing: readonly string[] }
  /** Work with the store. */
  | { readonly do: 'save' | 'take-down' | 'end' }
  /** Requests to Discord. */
  | { readonly do: 'find' | 'send' | 'edit' | 'check-message' | 'pause-notice' | 'notify' }
  | { readonly do: 'remove-orphan'; readonly messageId: string }
  | HeadlineStep;

/** The headline outside the message: stored before it is sent, so that it is found again. */
export type HeadlineStep =
  | { readonly do: 'plan-topic'; readonly line: string | null }
  | { readonly do: 'set-topic' }
  | { readonly do: 'mark-voice'; readonly channelId: string }
  | { readonly do: 'set-status'; readonly channelId: string; readonly headline: string | null };
