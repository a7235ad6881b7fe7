/** What every bot beside ours answers: a card of about the size of a driver's profile, built from nothing. */
import { type APIEmbed, ButtonStyle, ComponentType } from 'discord.js';

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `**Car ${index + 1}** · AB${index}CD · 12,345 km`).join('\n');

export const embed: APIEmbed = {
  author: { name: 'k3nny' },
  title: 'Kenny',
  description: '🇩🇪 Germany · online\n💶 12,345',
  fields: [
    { name: 'Record', value: lines(4) },
    { name: 'Licences', value: '3 valid · 1 expired' },
    { name: 'Garage', value: lines(5) },
    { name: 'Properties', value: '2 properties' },
    { name: 'As of', value: '<t:1700000000:R>' },
  ],
};

const button = (label: string) => ({
  type: ComponentType.Button as const,
  style: ButtonStyle.Secondary as const,
  label,
  custom_id: `1:profile:${label}:k3nny`,
});

export const rows = [
  {
    type: ComponentType.ActionRow as const,
    components: ['overview', 'record', 'licences', 'garage', 'properties'].map(button),
  },
  { type: ComponentType.ActionRow as const, components: [button('refresh')] },
];

/** The command of the bots beside ours, as it is published. */
export const command = {
  name: 'profile',
  description: "A driver's profile",
  options: [
    { type: 3, name: 'player', description: 'Username', required: false },
    { type: 5, name: 'picture', description: 'As a picture', required: false },
  ],
};

/** Of the bare library alone: `/board create`. */
export const boardCommand = {
  name: 'board',
  description: 'A board',
  options: [{ type: 1, name: 'create', description: 'A new one' }],
};
