/** The page: stores what the sandbox pushes, and lets the other modules draw it. */
import type { ChannelView, HintView, OfferedCommands, Push, Snapshot } from '../protocol.ts';
import { createComposer } from './composer.ts';
import { connect } from './connection.ts';
import { drawChannels } from './draw-channels.ts';
import { drawMembers } from './draw-members.ts';
import { keepTimesTrue } from './draw-time.ts';
import { drawVisitor } from './draw-visitor.ts';
import { createDrawers } from './drawers.ts';
import { byId, element } from './element.ts';
import { drawFaults, showFaults, showRequests } from './fault-panel.ts';
import { withForms } from './form-window.ts';
import { chooseLanguage } from './languages.ts';
import { createMessageList } from './message-list.ts';

/** Channel in which people write. */
type Place = Exclude<ChannelView, { type: 'voice' }>;

const asked = new URLSearchParams(location.search).get('lang');
const language = chooseLanguage([...(asked === null ? [] : [asked]), ...navigator.languages]);

const wide = matchMedia('(min-width: 900px)');
const drawers = createDrawers(wide);

let snapshot: Snapshot | null = null;
let shown = '';
let members: Snapshot['members'] = [];
let menu: Snapshot['menu'] = [];
let commands: OfferedCommands = { guild: [], direct: [] };
const unread = new Set<string>();

const connection = withForms(
  connect(language, receive, (open) => {
    byId('lost').hidden = open;
  }),
);
const list = createMessageList({
  locale: language,
  connection,
  scroller: byId('messages'),
  list: byId('message-list'),
  follows: 'end',
});
/** The live status, on wide screens, while another channel is read. */
const beside = createMessageList({
  locale: language,
  connection,
  scroller: byId('beside'),
  list: byId('beside-list'),
  follows: 'head',
});
const composer = createComposer({
  host: byId('composer'),
  connection,
  invoked: (channelId, command, answer) => list.pending(channelId, command, answer),
});

function receive(push: Push): void {
  switch (push.type) {
    case 'snapshot':
      begin(push.snapshot);
      return;
    case 'message':
      beside.put(push.message);
      if (list.put(push.message) && push.message.channelId !== shown) {
        unread.add(push.message.channelId);
        showChannels();
      }
      showBeside();
      return;
    case 'message-delete':
      list.remove(push.messageId);
      beside.remove(push.messageId);
      showBeside();
      return;
    case 'commands':
      commands = push.commands;
      composer.setCommands(commandsIn(shown));
      showMembers(null, push.menu);
      showHints(push.hints);
      return;
    case 'channels':
      changeChannels(push.channels);
      return;
    case 'members':
      showMembers(push.members, null);
      return;
    case 'faults':
      showFaults(push.faults);
      return;
    case 'requests':
      showRequests(push.count);
      return;
    case 'answer':
      return;
  }
}

function begin(fresh: Snapshot): void {
  const first = snapshot === null;
  snapshot = fresh;
  byId('guild').textContent = fresh.guild;
  drawVisitor(language, fresh);
  list.reset(fresh.messages, fresh.me);
  beside.reset(fresh.messages, fresh.me);
  commands = fresh.commands;
  showMembers(fresh.members, fresh.menu);
  drawFaults(fresh, connection, () => drawers.close());
  showHints(fresh.hints);
  show(place([shown, location.hash.slice(1)])?.id ?? '');
  history.replaceState(null, '', `#${shown}`);
  if (first && wide.matches) composer.focus();
}

/** The first of them that can be shown, or else the server's first channel. */
function place(wanted: readonly string[]): Place | undefined {
  const all = (snapshot?.channels ?? []).filter((one) => one.type !== 'voice');
  const found = wanted.map((wantedId) => all.find(({ id }) => id === wantedId));
  return found.find((one) => one !== undefined) ?? all.find(({ type }) => type === 'text');
}

function commandsIn(channelId: string): OfferedCommands['guild'] {
  return place([channelId])?.type === 'direct' ? commands.direct : commands.guild;
}

function show(channelId: string): void {
  const channel = place([channelId]);
  if (channel?.id !== channelId) return;
  shown = channelId;
  unread.delete(channelId);
  namePlace(channel);
  composer.setPlace(channel.id, titleOf(channel), commandsIn(channelId));
  list.show(channelId);
  showBeside();
  showChannels();
}

/** The first channel in which people only read, unless it is the one shown; and why one may be empty. */
function showBeside(): void {
  const first = snapshot?.channels.find((one) => one.type === 'text' && one.quiet);
  const hidden = first === undefined || first.id === shown || !beside.has(first.id);
  byId('beside').hidden = hidden;
  document.body.classList.toggle('two', !hidden);
  if (!hidden) {
    byId('beside-name').textContent = `# ${first.name}`;
    beside.show(first.id);
  }
  const isDirect = place([shown])?.type === 'direct';
  byId('no-messages').textContent =
    isDirect && !list.has(shown)
      ? 'Nothing here yet. Alerts come here: /watch sets one. Between 23:00 and 8:00 it waits unless you choose at-night; the hours are in UTC until /timezone knows yours.'
      : '';
}

/** As Discord writes it: `#general`, `@Pitwall`. */
const titleOf = ({ type, name }: Place): string => `${type === 'direct' ? '@' : '#'}${name}`;

function namePlace(channel: Place): void {
  const title = titleOf(channel);
  byId('channel-name').textContent = title.replace(/^./, '$& ');
  byId('channel-topic').textContent = channel.type === 'text' ? (channel.topic ?? '') : '';
  // The server's members are not in the conversation with the bot.
  document.body.classList.toggle('direct', channel.type === 'direct');
  document.title = `${title} · ${snapshot?.guild ?? ''}`;
}

/** Keeps the open channel and the draft, unless the channel is gone. */
function changeChannels(channels: Snapshot['channels']): void {
  if (snapshot === null) return;
  snapshot = { ...snapshot, channels };
  const channel = place([shown]);
  if (channel !== undefined && channel.id === shown) namePlace(channel);
  else show(channel?.id ?? '');
  showChannels();
}

function showChannels(): void {
  if (snapshot === null) return;
  const opener = byId('open-channels');
  opener.classList.toggle('unread', unread.size > 0);
  opener.ariaLabel = unread.size > 0 ? 'Channels (new messages)' : 'Channels';
  drawChannels(snapshot.channels, shown, unread, (channelId) => {
    if (channelId !== shown) history.pushState(null, '', `#${channelId}`);
    show(channelId);
    if (!wide.matches) drawers.close();
  });
}

/** Null: unchanged. */
function showMembers(changed: Snapshot['members'] | null, changedMenu: Snapshot['menu'] | null): void {
  members = changed ?? members;
  menu = changedMenu ?? menu;
  drawMembers(members, menu, (entry, personId) => {
    const answer = connection.ask({ type: 'invoke-on', channelId: shown, entry, personId });
    list.pending(shown, entry, answer);
    if (!wide.matches) drawers.close();
  });
}

function showHints(hints: readonly HintView[]): void {
  byId('hints').replaceChildren(
    ...hints.map((hint) =>
      element(
        'button',
        { type: 'button', class: 'hint', onclick: () => composer.fill(hint) },
        'Try ',
        element('b', {}, `/${hint.command}`),
        ` ${hint.value}`,
      ),
    ),
  );
}

// "Back" returns to the previous channel.
addEventListener('popstate', () => show(location.hash.slice(1)));
for (const name of ['messages', 'beside'])
  byId(name).addEventListener('click', ({ target }) => {
    const command = target instanceof Element ? target.closest<HTMLElement>('[data-command]') : null;
    if (command !== null) composer.open(command.dataset['command'] ?? '');
  });
document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented) return;
  if (event.key === 'Escape') drawers.close();
  // Typing anywhere goes to the composer; the space bar belongs to a focused button.
  const writes =
    event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
  const elsewhere = !(event.target instanceof Element && event.target.matches('input, textarea, select'));
  if (writes && elsewhere) composer.focus();
});

// Makes the lists scrollable with the arrow keys.
for (const name of ['messages', 'beside']) byId(name).tabIndex = 0;
keepTimesTrue(language);
