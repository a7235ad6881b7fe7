export const en = {
  typed: {
    board: 'board',
  },
  board: {
    description: 'Live status boards: one message per channel, always current',
    options: {
      channel: 'Channel (default: this one)',
      from: 'Channel it is in now (default: this one)',
      to: 'Channel it moves to',
      language: 'Language of the board',
      servers: 'Servers to show, for example one, two (default: all)',
      members: 'Who is online on Discord',
      names: 'Names of members and drivers',
    },
    create: {
      description: 'Put a live board in a channel',
      done: '✅ The live board is in {{channel}}.',
      later: "⏳ The live board will be in {{channel}} as soon as Discord accepts it. I'll keep trying.",
    },
    remove: {
      description: 'Remove a live board',
      done: '✅ The live board in {{channel}} is removed.',
      left: "⚠️ I can't see {{channel}}, so its message stays there. Delete it by hand.",
    },
    list: {
      description: "This server's live boards and how each is doing",
      title: 'Live boards',
      none: 'No live boards yet. Add one with `/board create`.',
      edited: 'edited {{ago}}',
      missing: 'Missing: {{rights}}',
      drop: 'Remove dead boards',
      lost: 'I found messages of live boards in {{channels}}, but my database no longer knows these boards.',
      adopt: 'Make them live again',
    },
    edit: {
      description: 'Change what a live board shows',
      done: '✅ {{channel}} now shows: {{shows}}',
    },
    choice: {
      language: "This server's language",
      servers: 'All servers',
      members: { on: 'All members', folded: 'Collapsed: counts, and who is driving', off: 'No members' },
      names: { on: 'Shown', off: 'Hidden' },
    },
    shows: {
      servers: 'all servers',
      members: { on: 'all members', folded: 'members collapsed', off: 'no members' },
      noNames: 'no names',
    },
    move: { description: 'Move a live board to another channel' },
    test: {
      description: 'Check whether a live board would work in a channel',
      done: '✅ A live board works in {{channel}}: I sent a test message and deleted it.',
    },
    which: 'There are several live boards. Which one?',
    choose: 'Choose a live board',
    noneThere: 'There is no live board in {{channel}}. `/board list` shows where they are.',
    why: {
      'two-factor':
        "{{channel}} is in a server that requires two-factor authentication of its moderators. The bot's operator has to turn it on.",
      missing: 'Missing permissions in {{channel}}: **{{rights}}**. Grant them, then try again.',
      there: '{{channel}} already has a live board. `/board list` shows how it is doing.',
      'too-many': 'This server has reached its limit of live boards. Remove one, then try {{channel}} again.',
      'unknown-channel':
        "I can't find {{channel}} here, or it is a thread or a forum. I need a text channel.",
      unavailable:
        "This server is unavailable on Discord right now, so I can't check {{channel}}. Try again in a minute.",
      forbidden: 'Discord refused my message in {{channel}} although my permissions look right.',
      'too-fast': 'Discord asks me to slow down in {{channel}}. Try again in a minute.',
      'unknown-message': 'Someone deleted the test message in {{channel}} before I could.',
      blocked:
        "This server's AutoMod didn't let my message through in {{channel}}, perhaps because of a name.",
      refused: "Discord didn't accept my message in {{channel}}.",
      lost: 'No answer from Discord for {{channel}}. Try again in a minute.',
    },
    paused: {
      rights: '⏸️ paused: missing permissions',
      channel: '⏸️ paused: the channel is gone',
      unwanted: '⏸️ paused: message deleted three times',
    },
    trouble: {
      deleted: 'The message was deleted',
      'not-notified': "I couldn't notify the person who created the board",
      store: "I couldn't reach my database",
      bug: 'Something went wrong on my side',
      'unknown-channel': "The channel is gone, or I can't see it",
      'two-factor': "This server requires two-factor authentication; the bot's operator has to turn it on",
      forbidden: "Discord didn't let me post",
      'too-fast': 'Discord asked me to slow down',
      blocked: "This server's AutoMod didn't let the board through, perhaps because of a name",
      refused: "Discord didn't accept the message",
      lost: 'No answer from Discord',
    },
    title: 'Live servers',
    driving: 'Driving',
    servers: 'Servers',
    serversHint: 'Leave empty for all servers.',
    members: 'On Discord',
    channels: 'Channels',
    noServers: 'No servers.',
    noneChosen:
      'The data service lists none of the chosen servers: {{servers}}.\n`/board edit` chooses others.',
    dutyPartly: '❔ duty partly unknown',
    jobs: '💼 {{n}} on a job',
    noOverview: '⚠️ Tracks and slots are unknown right now.',
    noMembers: '⚠️ Unknown right now.',
    oldPart: '⚠️ Old data, from {{date}}:',
    lead: {
      'no-data': '⛔ **No data.** {{why}}',
      paused: "⏸️ **Paused.** I'm not running, so this is no longer updated.",
    },
    mode: {
      live: '🟢 live',
      'partly-stale': '⚠️ partly old',
      stale: '⚠️ old data',
      'no-data': '⛔ no data',
      paused: '⏸️ paused',
      starting: '⏳ starting',
    },
    checkedPart: { drivers: 'drivers {{ago}}', rest: 'the rest {{ago}}' },
    everySeconds: 'updates every {{seconds}} s',
    everyMinutes: 'updates every {{minutes}} min',
    mine: 'Show only to me',
    trial: "Test message, sent {{ago}}. I'll delete it right away.",
    right: {
      ViewChannel: 'View Channel',
      SendMessages: 'Send Messages',
      EmbedLinks: 'Embed Links',
      ReadMessageHistory: 'Read Message History',
      Connect: 'Connect',
      TimedOut: "everything except reading (I'm in time-out)",
    },
    notified: {
      topic:
        "My old headline still stands in the topic of {{channel}}. I can't remove it without **Manage Channels**: please delete it by hand.",
      rights:
        'The live board in {{channel}} is paused. Missing permissions: **{{rights}}**. Once I have them again, it resumes in the same message.',
      refused:
        "The live board in {{channel}} is paused: Discord refuses my messages there although my permissions look right. I'll keep trying.",
      channel:
        "The live board in {{channel}} has ended: the channel is gone, or I can no longer see it. I keep the board's settings for 30 days.",
      unwanted:
        'The live board in {{channel}} is paused: its message was deleted three times within ten minutes. In that channel, `/board create` brings it back and `/board remove` removes it for good.',
    },
  },
} as const;

declare module '../../../src/i18n/translation.ts' {
  interface SubjectTexts extends Omit<typeof en, 'typed'> {}
}
