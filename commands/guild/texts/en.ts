export const en = {
  typed: {
    settings: 'settings',
    setup: 'setup',
  },
  settings: {
    description: 'Language, units and other settings of this server',
    options: {
      more: 'More',
      language: 'Language of my answers',
      distances: 'Unit for distances',
      colours: 'Also show names in their colours',
      sharing: 'Let people share private answers with the channel',
      profilesHint: "For people who haven't chosen for themselves.",
    },
    anyRefresh: 'Let everyone refresh an answer',
    heading: 'Settings of this server',
    zoneSaved: 'Time zone of this server: `{{zone}}`. It is {{time}} there.',
    saved: '✅ Saved.',
    how: 'An administrator (*Manage Server*) can change them with `/settings`.',
    noZone: 'not set (UTC)',
    label: {
      language: 'Language',
      distances: 'Distances',
      colours: 'Coloured names',
      refresh: 'Refresh',
      sharing: 'Sharing private answers',
      timezone: 'Time zone',
      profiles: 'Driver profiles',
    },
    language: {
      reader: "Each reader's own",
    },
    distances: {
      kilometres: 'Kilometres',
      miles: 'Miles',
      driver: "Each person's own in-game unit",
    },
    colours: {
      shown: 'Shown',
      hidden: 'Hidden',
    },
    refresh: {
      everyone: 'Everyone',
      asker: 'Only the person who asked',
    },
    sharing: {
      allowed: 'Allowed',
      forbidden: 'Not allowed',
    },
    profiles: {
      picture: 'As a picture',
      text: 'As text',
    },
  },
  setup: {
    description: 'Set up this server: live board, language, distances, time zone',
    title: 'Set up Pitwall',
    channel: 'Channel for the live board',
    channelHint: 'I keep one message there up to date.',
    elsewhere:
      'There is already a live board in {{channels}}, and it stays there. `/board move` moves it, `/board create` adds another.',
    next: 'Change it any time with `/settings` and `/board`.',
    again: 'Change and try again',
    welcome:
      'Hi, I show who is driving, what they drive and who is on duty. An administrator (*Manage Server*) can set me up in one go: a live board, the language and the units.',
    welcomeOwner:
      "I'm now in **{{server}}**. Type `/setup` there to choose a channel for the live board, the language and the units.",
    button: 'Set up',
  },
} as const;

declare module '../../../src/i18n/translation.ts' {
  interface SubjectTexts extends Omit<typeof en, 'typed'> {}
}
