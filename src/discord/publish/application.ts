/** The bot's application, as far as it decides for whom its commands are. */

import { ApplicationIntegrationType, InteractionContextType, PermissionFlagsBits } from 'discord.js';
import { z } from 'zod';
import { RIGHTS } from '../../cards/board/board.ts';
import type { Payload } from './describe-commands.ts';

const { GuildInstall, UserInstall } = ApplicationIntegrationType;

/** Null: Discord does not say, as for applications from before there was a choice. */
const InstallsConfig = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((config) => config ?? null);

export const Application = z.object({ id: z.string(), integration_types_config: InstallsConfig });
export type Application = z.output<typeof Application>;

type Installs = Pick<Application, 'integration_types_config'>;

/** People may add the bot to their own account, where it can be used in every server. */
export function takesPeople({ integration_types_config: config }: Installs): boolean {
  return config === null || config[UserInstall] !== undefined;
}

/** The commands as that application may have them. Discord clips what it does not allow, and says nothing. */
export function allowedPayloads(payloads: readonly Payload[], application: Installs): readonly Payload[] {
  if (takesPeople(application)) return payloads;
  return payloads.map((payload) => ({
    ...payload,
    ...(payload.integration_types === undefined ? {} : { integration_types: [GuildInstall] }),
    ...(payload.contexts == null
      ? {}
      : { contexts: payload.contexts.filter((each) => each !== InteractionContextType.PrivateChannel) }),
  }));
}

/** The change of the application that lets people add the bot to their own account, too. */
export function withPeople({ integration_types_config: config }: Installs): object {
  const guild = { oauth2_install_params: { scopes: GUILD_SCOPES, permissions: String(GUILD_RIGHTS) } };
  const person = { oauth2_install_params: { scopes: PERSON_SCOPES, permissions: '0' } };
  return { integration_types_config: { [GuildInstall]: guild, ...config, [UserInstall]: person } };
}

const PERSON_SCOPES = ['applications.commands'];
const GUILD_SCOPES = ['bot', ...PERSON_SCOPES];
/** No more than boards and pictures need. */
const GUILD_RIGHTS = RIGHTS.reduce(
  (all, right) => all | PermissionFlagsBits[right],
  PermissionFlagsBits.AttachFiles,
);

/** The address at which someone adds the bot to a server. */
export function inviteLink(applicationId: string): string {
  return linkWith({
    client_id: applicationId,
    scope: GUILD_SCOPES.join(' '),
    permissions: String(GUILD_RIGHTS),
  });
}

/** The one at which people add it to their own account. */
export function personalLink(applicationId: string): string {
  return linkWith({
    client_id: applicationId,
    integration_type: String(UserInstall),
    scope: PERSON_SCOPES.join(' '),
  });
}

function linkWith(query: Readonly<Record<string, string>>): string {
  return `https://discord.com/oauth2/authorize?${new URLSearchParams(query)}`;
}
