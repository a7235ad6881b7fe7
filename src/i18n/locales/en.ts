/** English: what people read, and nothing else. Every key stands in every language with the same placeholders. */
export const en = {
  /**
   * Words that people type: commands, subcommands, options. In English as the code names them; in other languages by the
   * same rules of Discord: 1 to 32 letters, digits, - or _, in lower case, no two commands alike.
   */
  typed: {
    player: 'player',
    user: 'user',
    vin: 'vin',
    server: 'server',
    language: 'language',
    private: 'private',
    picture: 'picture',
    create: 'create',
    edit: 'edit',
    names: 'names',
    remove: 'remove',
    list: 'list',
    move: 'move',
    test: 'test',
    channel: 'channel',
    from: 'from',
    to: 'to',
    span: 'span',
  },
  zone: {
    utc: { hours: 'Hours in UTC.', days: 'Days in UTC.', both: 'Days and hours in UTC.' },
    known: 'Time zone: `{{zone}}`.',
  },
  duration: {
    minutes: '{{minutes}} min',
    hours: '{{hours}} h',
    hoursAndMinutes: '{{hours}} h {{minutes}}',
  },
  card: {
    labelled: '{{label}}: {{value}}',
    more: '+{{n}} more',
    page: 'Page {{page}} of {{pages}}',
    profile: 'Profile',
    back: '◀ Back',
    change: 'Change',
    test: 'Test',
    resume: 'Resume',
    remove: 'Remove',
    openDriver: 'Open a driver…',
    compareWithMe: 'Compare',
    sessions: 'Sessions',
    previous: '◀ Previous',
    next: 'Next ▶',
    asOf: 'As of',
    unknownDate: 'an unknown date',
    refresh: 'Refresh',
    old: '⚠️ **Old data**, from {{ago}}. {{why}}',
    partial: '⚠️ **Incomplete.** {{why}}',
  },
  share: {
    button: 'Share',
    done: 'Shared',
    by: '-# Shared by {{person}}',
    already: "I'm already sharing this.",
    unconfirmed:
      "Discord didn't confirm that this was shared.\nLook in the channel before you press *Share* again.",
    forbidden: 'Private answers may not be shared in this server.',
    mayNotWrite: "You don't have permission to post in this channel, so I can't share this here for you.",
  },
  stale: {
    frozen: 'The data service has stopped updating.',
    slow: 'The data service is slow right now.',
    share: 'You have used your share of requests for now. Press *Refresh* in a moment.',
    refused: 'The data service accepts no requests from me for now.',
    'not-found': 'The data service no longer finds this name.',
    unauthorised: "The data service refuses me right now. Tell the bot's operator.",
    'over-budget': 'My hourly request limit is used up for now.',
    'no-turn': 'The data service is slow right now.',
    'store-away': "I can't reach my database right now.",
    unavailable: "The data service isn't answering.",
    rejected: 'The data service rejects this request.',
    'bad-response': "The data service sends answers that I can't read.",
  },
  fault: {
    'not-found': {
      player: 'No driver with that name.\nUse the login name; the coloured in-game name can differ.',
      car: 'No car with that VIN.\nCheck its five letters and digits.',
      playerNamed: 'No driver named **{{name}}**.\nUse the login name; the coloured in-game name can differ.',
      carNamed: 'No car with the VIN **{{name}}**.\nCheck its five letters and digits.',
      other: 'The data service knows nothing by that name.\nCheck the spelling.',
    },
    unauthorised: {
      key: "The data service rejects my key. The fault is on my side.\nTell the bot's operator.",
      address:
        "The data service rejects the address I ask from. The fault is on my side.\nTell the bot's operator.",
      command:
        "The data service doesn't allow me to ask for this. The fault is on my side.\nTell the bot's operator.",
      other: "The data service refuses to answer me. The fault is on my side.\nTell the bot's operator.",
    },
    'over-budget': {
      refused: 'Next request {{in}}.',
      until: 'The fault is on my side.\nNext request {{in}}.',
      other: 'The fault is on my side.\nTry again in a few minutes.',
      burst:
        'That is more than your share of my request limit: five lookups every 30 seconds.\nNext lookup {{in}}. Anything looked up in the last few minutes still works.',
      person:
        'You have used your share of my request limit: a tenth per person.\nNext lookup {{in}}. Anything looked up in the last few minutes still works.',
      guild:
        'My request limit is nearly used up, and this server has used its share.\nNext lookup in this server {{in}}. Anything looked up in the last few minutes still works.',
    },
    'no-turn': 'The fault is on its side.\nTry again in a minute.',
    'store-away': 'The fault is on my side.\nTry again in a minute.',
    unavailable: 'The fault is on its side.\nTry again in a minute.',
    rejected: {
      request:
        "The data service rejected my request as invalid. The fault is on my side.\nTell the bot's operator.",
      'not-implemented':
        "The data service doesn't offer this. The fault is on its side.\nTell the bot's operator.",
    },
    'bad-response':
      "The fault is on its side.\nTry again in a minute. If it keeps happening, tell the bot's operator.",
  },
  input: {
    timezone:
      'I know no city or time zone of that name.\nType a bigger city nearby or a name such as `Europe/Berlin`.',
    timezoneShort:
      "`{{typed}}` isn't a place: an abbreviation can mean several zones, or one without summer time.\nType {{zones}} or another big city.",
    vin: 'A VIN has five letters or digits, for example `AB12C`.',
    username: 'A login name has 1 to 64 printable characters.',
    servers:
      'List servers like `one, two`, or type `all`.\nI know `one`, `two`, `three`, `four`, `events` and `training`.',
    member: "That person isn't in this server.",
  },
  discord: {
    oldButton: 'This button is from an older version of this bot.\nRun the command again.',
    oldCommand: 'I no longer have that command.\nReload Discord and try again.',
    oldChoice: 'I no longer have that choice.\nReload Discord and pick one from the list.',
    bug: "Something went wrong on my side.\nGive the bot's operator this number: `{{id}}`",
    blocked:
      "This server's AutoMod didn't let my answer through, perhaps because of a name.\nAsk an administrator of this server.",
    errorId: '-# Error number `{{id}}`',
    late: 'I took too long.\nTry again.',
    unconfirmed: "Discord didn't confirm my answer.\nIf you don't see it, ask again.",
    guildOnly: 'This only works in a server that has this bot.',
    notAllowed: 'You need *Manage Server* for this.',
    notAllowedRoles:
      "You need *Manage Roles* for this, from one of your roles. Permissions in a single channel don't count.",
    stopping: "I'm restarting.\nTry again in a moment.",
    storeFull:
      "I can't save anything: my database has no room left. The fault is on my side.\nThe bot's operator has to make room.",
    storeAway: "I can't reach my database right now. The fault is on my side.\nTry again in a moment.",
    privateOption: 'Show the answer only to me',
    notYourRefresh:
      'In this server only the person who asked may refresh an answer.\nRun the command yourself for a fresh one.',
    didYouMean: 'Did you mean:',
  },
} as const;
