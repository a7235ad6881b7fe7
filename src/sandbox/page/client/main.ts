/** The page: stores what the sandbox pushes, and lets the other modules draw it. */
import type { ChannelView, FaultView, HintView, Push, Snapshot } from '../protocol.ts';
import { createComposer } from './composer.ts';
import { connect } from './connection.ts';
import { drawChannels } from './draw-channels.ts';
import { drawMembers } from './draw-members.ts';
import { keepTimesTrue } from './draw-time.ts';
import { drawVisitor } from './draw-visitor.ts';
import { createDrawers } from './drawers.ts';
import { byId, element } from './element.ts';
import { drawFaults } from './fault-panel.ts';
import { withForms } from './form-window.ts';
import { chooseLanguage } from './languages.ts';
import { createMessageList } from './message-list.ts';
import { number, pieces } from './text.ts';

type TextChannel = Extract<ChannelView, { type: 'text' }>;

const asked = new URLSearchParams(location.search).get('lang');
const language = chooseLanguage([...(asked === null ? [] : [asked]), ...navigator.languages]);

const wide = matchMedia('(min-width: 900px)');
const drawers = createDrawers(wide);

let snapshot: Snapshot | null = null;
let shown = '';
let faults: readonly FaultView[] = [];
let members: Snapshot['members'] = [];
let menu: Snapshot['menu'] = [];
const requests = document.createTextNode(number(0));
const happened = element('p', { role: 'status' });
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
      if (list.put(push.message) && push.message.channelId !== shown) {
        unread.add(push.message.channelId);
        showChannels();
      }
      return;
    case 'message-delete':
      list.remove(push.messageId);
      return;
    case 'commands':
      composer.setCommands(push.commands);
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
      faults = push.faults;
      showFaults();
      return;
    case 'requests':
      requests.data = number(push.count);
      return;
    case 'answer':
      return;
  }
}

function begin(fresh: Snapshot): void {
  const first = snapshot === null;
  snapshot = fresh;
  faults = fresh.faults;
  byId('guild').textContent = fresh.guild;
  drawVisitor(language, fresh);
  list.reset(fresh.messages, fresh.me);
  composer.setCommands(fresh.commands);
  showMembers(fresh.members, fresh.menu);
  showFaults();
  showHints(fresh.hints);
  show(textChannel([shown, location.hash.slice(1)])?.id ?? '');
  history.replaceState(null, '', `#${shown}`);
  if (first && wide.matches) composer.focus();
}

/** The first of them that can be shown, or else the first of all. */
function textChannel(wanted: readonly string[]): TextChannel | undefined {
  const all = (snapshot?.channels ?? []).filter((one) => one.type === 'text');
  const found = wanted.map((wantedId) => all.find(({ id }) => id === wantedId));
  return found.find((one) => one !== undefined) ?? all[0];
}

function show(channelId: string): void {
  const channel = textChannel([channelId]);
  if (channel?.id !== channelId) return;
  shown = channelId;
  unread.delete(channelId);
  nameChannel(channel);
  composer.setChannel(channel.id, channel.name);
  list.show(channelId);
  showChannels();
}

function nameChannel({ name, topic }: TextChannel): void {
  byId('channel-name').textContent = `# ${name}`;
  byId('channel-topic').textContent = topic ?? '';
  document.title = `#${name} · ${snapshot?.guild ?? ''}`;
}

/** What is being read or typed stays, unless its channel is gone. */
function changeChannels(channels: Snapshot['channels']): void {
  if (snapshot === null) return;
  snapshot = { ...snapshot, channels };
  const channel = textChannel([shown]);
  if (channel !== undefined && channel.id === shown) nameChannel(channel);
  else show(channel?.id ?? '');
  showChannels();
}

function showChannels(): void {
  if (snapshot === null) return;
  drawChannels(snapshot.channels, shown, unread, (channelId) => {
    if (channelId !== shown) history.pushState(null, '', `#${channelId}`);
    show(channelId);
    if (!wide.matches) drawers.close();
  });
}

function showFaults(): void {
  drawFaults(faults, { requests, happened }, connection, () => drawers.close());
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
        ...pieces('page.hint', { command: element('b', {}, `/${hint.command}`), value: hint.value }),
      ),
    ),
  );
}

// "Back" returns to the previous channel.
addEventListener('popstate', () => show(location.hash.slice(1)));
byId('messages').addEventListener('click', ({ target }) => {
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

// Makes the list scrollable with the arrow keys.
byId('messages').tabIndex = 0;
keepTimesTrue(language);
