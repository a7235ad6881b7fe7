export const en = {
  typed: {
    link: 'link',
    unlink: 'unlink',
    privacy: 'privacy',
    'forget-me': 'forget-me',
    timezone: 'timezone',
  },
  link: {
    description: 'Link your account to your driver',
    options: {
      player: 'Login name in the game',
      user: 'Whose link to correct (needs Manage Server)',
    },
    done: 'Linked to **{{player}}** (self-declared, not verified).\n*Apps → Driver profile* on your name now shows this driver. Undo with `/unlink`.',
    doneProved: 'Linked to **{{player}}** ✅ (verified).',
    corrected: '{{person}} is now linked to **{{player}}** in this server (set by you, not verified).',
    noneHere: "Your link doesn't apply in this server: an administrator has removed your driver here.",
    otherHere:
      "Your link doesn't apply in this server: an administrator has set your driver to **{{player}}** here.",
    notifiedSet:
      '{{administrator}} has linked your account to **{{player}}** in a server that they manage. Your own link (`/link`) still applies everywhere else.',
    notifiedLost:
      '{{administrator}} has linked someone else to **{{player}}** in a server that they manage, so that driver is no longer yours there. Your own link (`/link`) still applies everywhere else.',
    taken:
      '**{{player}}** is already linked to someone else.\nIf that is your driver, verify it and the link moves to you.',
    missing: "I don't know your driver yet.\nEnter one in `player`, or link yours once with `/link`.",
    none: "I don't know your driver yet.\nLink yours once with `/link`.",
    own: 'Link my driver',
    myProfile: 'My profile',
    missingOf: "{{person}} hasn't linked a driver that I can show.\nThey can link theirs with `/link`.",
    byNickname: 'No login name **{{nickname}}**, but **{{player}}** uses it as in-game name (seen {{ago}}).',
    lost: {
      self: 'Your account is linked to **{{player}}**, but the data service no longer knows that name.\nIf the login name has changed, link the new one with `/link`.',
      administrator:
        'An administrator has linked your account to **{{player}}**, but the data service no longer knows that name.\nAsk an administrator (*Manage Server*) to link the new one.',
    },
    lostOf:
      '{{person}} is linked to **{{player}}**, but the data service no longer knows that name.\nIf the login name has changed, they can link the new one with `/link`.',
    by: {
      proved: '{{person}} ✅ (verified)',
      self: '{{person}} (self-declared)',
      administrator: '{{person}} (set by an administrator)',
    },
    proof: {
      begin: 'Verify',
      task: "Put `{{code}}` anywhere in the in-game name of **{{player}}** and join a server. I'll look for it until {{time}}.\n-# Never use a code that someone else gives you: your driver would become theirs.",
      check: 'Check now',
      cancel: 'Cancel',
      called: '**{{player}}** has the name {{name}} right now, without `{{code}}`.',
      absent: "I don't see **{{player}}** on a server yet.",
      noLooks: 'You have used all six checks. Cancel and start again for a new code.',
      done: '✅ Verified. You can take the code out again.',
      cancelled: 'Stopped. You can take the code out again.',
      over: "Time's up: no code seen within ten minutes.",
      tooMany: 'You have started three verifications in 24 hours. You can start the next one {{in}}.',
      lost: 'Someone has verified **{{player}}** as theirs, with a code in the in-game name, so your link to that driver has ended.\nIf it is your driver, verify it with `/link`.',
    },
  },
  unlink: {
    description: 'Unlink your driver',
    options: {
      user: 'Whose link to remove (needs Manage Server)',
    },
    done: 'Your driver is unlinked.',
    unhidden: '**{{player}}** is no longer hidden.',
    none: 'You have no linked driver.',
    corrected: '{{person}} no longer has a linked driver in this server.',
    notified:
      '{{administrator}} has removed your driver in a server that they manage. Your own link (`/link`) still applies everywhere else.',
    noneOf: '{{person}} has no linked driver.',
  },
  privacy: {
    description: 'Everything I store about you',
    heading: 'This is everything I store about your account. The file has every detail.',
    nothing: 'I store nothing about your account.',
    unreadable: 'Some of it cannot be read. The file says which, and `/forget-me` deletes that too.',
    link: 'Linked to **{{player}}** (self-declared), {{ago}}',
    linkProved: 'Linked to **{{player}}** ✅ (verified), {{ago}}',
    proof: 'Verifications started in the last 24 hours: {{n}}',
    correction: {
      set: 'Linked to **{{player}}** in one server (set by an administrator), {{ago}}',
      removed: 'No driver in one server (removed by an administrator), {{ago}}',
    },
    unwatched: 'Alerts about **{{player}}** are off (your choice)',
    timeZone: 'Your time zone: {{zone}}',
    profileAsPicture: '`/profile` answers you with a picture',
    profileAsText: '`/profile` answers you with text',
    sent: 'Direct messages from me, remembered for 8 days: {{n}}',
    board: 'You created the live board in {{channel}}, {{ago}}',
    visible: '**{{player}}** is visible: anyone can use `/seen`, `/top` and other commands about drivers.',
    hidden:
      '**{{player}}** is hidden: not in any list, not suggested, not in `/seen`. I record nothing about this driver; the history that I already have comes back when you show the driver again. Hiding ends when you unlink.',
    soon: 'This takes effect {{in}}, once your link is a day old, or as soon as you verify it (`/link`).',
    hiddenByYou:
      'You have hidden your driver **{{player}}**: I record nothing, and nobody sees anything here.',
    hiddenByOperator: "**{{player}}** is hidden by the bot's operator.",
    shownByOperator: "**{{player}}** cannot be hidden: the bot's operator has decided that.",
    otherDriver:
      'That was for **{{before}}**; your account is now linked to **{{player}}**.\nUse `/privacy` again for the buttons of that driver.',
    hide: 'Hide me',
    show: 'Show again',
    more: "I never read your messages. I count how often you used me in the last hour, to share requests fairly, and never save that count.\nUnder drivers' names, never under yours, I keep:\n- the data service's answers: one day (which in-game name belongs to which driver: 30 days)\n- when drivers were on the live servers and on which duty, never where they were: 400 days\n- stats from profiles that people look up, and of linked drivers at each turn of the month, one reading a day: 400 days for linked drivers, 30 for others\n- driver counts: 400 days\nIf you hide your driver later, answers and recaps that are already in a channel stay there.",
    deletes:
      '`/forget-me` deletes everything about your account and, if your link is verified or 30 days old, the history of your driver. {{copies}}',
    about: 'Data about drivers',
  },
  forget: {
    description: 'Delete everything I store about you',
    question:
      'This deletes right away:\n- your link to a driver, its verification, and what I recorded about that driver\n{{others}}\n\n{{copies}} A hidden driver becomes visible again. This cannot be undone.',
    questionRest:
      'This deletes right away:\n- your link to **{{player}}** and its verification\n{{others}}\n\n{{copies}} This cannot be undone.',
    copies: {
      file: 'I also clean the backups, within ten minutes.',
      database: "The bot's operator decides how long backups of the database last.",
    },
    corrections: 'drivers that administrators have set for you',
    choices: 'your time zone, and whether `/profile` answers you with a picture',
    messages: 'what I remember of the messages I sent you',
    made: 'your name on the live boards and convoys that you created, which stay',
    stays:
      "I keep what I recorded about **{{player}}**, each part for at most 400 days. A hidden driver becomes visible again. Anyone can link a free driver, so only a link that is verified or 30 days old deletes the history as well.\nTo delete it, verify your link or keep it until {{date}}, then use `/forget-me`. Until then, *Hide me* keeps the driver out of every list. The bot's operator can hide drivers, too.",
    fixed:
      "I keep what I recorded about **{{player}}**, each part for at most 400 days: the bot's operator has decided that this driver cannot be hidden or deleted. Ask the operator.",
    confirm: 'Delete everything',
    confirmRest: 'Delete the rest',
    done: 'Everything is deleted. I no longer store anything about your account. {{copies}}',
    doneRest: 'I no longer store anything about your account. {{copies}}',
    kept: "I keep what I recorded about **{{player}}**, each part for at most 400 days: anyone can link a free driver, so only a link that is verified or 30 days old deletes the history as well.\nTo hide the driver, use `/link` again, then *Hide me* in `/privacy`. To delete the history, verify that link or keep it for 30 days, then use `/forget-me`. The bot's operator can hide drivers, too.",
    partly:
      "Deleted, except in these backup files, which I could not change: {{files}}\nAsk the bot's operator to delete them.",
    nothing: 'I stored nothing about your account. {{copies}}',
  },
  timezone: {
    description: 'Set your time zone: for the hours in my answers and your quiet hours',
    title: 'Your time zone',
    label: 'City or time zone',
    hint: 'For example Manchester or Europe/Berlin',
    done: '✅ Your time zone: `{{zone}}`. It is {{time}} there.',
    button: 'My time zone',
  },
} as const;

declare module '../../../src/i18n/translation.ts' {
  interface SubjectTexts extends Omit<typeof en, 'typed'> {}
}
