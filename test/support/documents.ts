/**
 * One document of each shape that deployments of the data service have sent since 2017, with the oddities of each: other
 * spellings, `null` and 0 for nothing, lists of one, numbers as text. Names and values are made up.
 */

const flags = {
  siren: false,
  med: false,
  caution: false,
  tow: false,
  cop: false,
  isChased: false,
  isJoining: false,
  hazard: false,
};

const identity = {
  id: 208,
  username: 'rallymum',
  isOnline: false,
  nickname: '^2[VR]\u00bbRita\u00ab',
  insimAdmin: false,
  adminLevel: 2,
  needsCopTraining: false,
  money: 84_120,
  dateJoined: 1_262_304_000,
  dateLastSeen: 1_488_326_400,
  countryCode: 'pt',
  flag: '//img.flags.example/24/pt.png',
};

/** 2017: figures in camel case and `null` for none, issuers by name, cars with few fields. */
export const profileCamelCase = {
  ...identity,
  hasRadarWarner: true,
  hasLocator: false,
  hasWinch: true,
  stats: {
    sentMoney: 1_200_345,
    receivedMoney: 2_100_456,
    earnedRefunds: 30_567,
    paidForRenting: 4_678,
    receivedFines: 5_789,
    paidFines: 66_890,
    paidRadarFines: 7_901,
    drivenDistance: 98_765_432,
    timeAsCop: 3_600_000,
    timeAsRobber: 7_200_123,
    earnedByDriving: 81_012,
    lostByDriving: 9_123,
    chasesWonAsRobber: 21,
    chasesLostAsRobber: 32,
    chasesWonAsCop: 43,
    chasesLostAsCop: 54,
    copXp: 6_512,
    robberXp: 7_613,
    civilianXp: 0,
    towXp: 0,
    medXp: 17,
    outranCops: 65,
    netValue: 876_543,
    gumballDistance: null,
    gumballTime: null,
  },
  licenses: [
    {
      type: 'cop',
      name: 'Police Licence',
      dateIssued: 1_388_534_400,
      issuedBy: 'old_*hand*',
      validUntil: null,
      suspendedUntil: null,
      revoked: false,
      expired: false,
      suspended: false,
    },
  ],
  cars: [{ vin: 'BBBCD', type: 'LX6', odometerKm: 30_123.456, condition: 31.7 }],
};

/** 2018: everything, with `cash` and `balance` that are gone since, and 0 for no end and no issuer. */
export const profileFull = {
  ...identity,
  isOnline: true,
  insimAdmin: true,
  cash: 1_120,
  balance: 83_000,
  stats: {
    sent_money: 1_001,
    received_money: 1_002,
    earned_refunds: 1_003,
    paid_for_renting: 1_004,
    received_fines: 1_005,
    paid_fines: 1_006,
    paid_radar_fines: 1_007,
    driven_distance: 123_456_789.1234,
    driving_money_plus: 1_009,
    driving_money_minus: 1_010,
    paid_donation: 1_011,
    received_donation: 1_012,
    paid_compensation: 1_013,
    received_compensation: 1_014,
    crashes: 1_015,
    chases_won_robber: 16,
    chases_lost_robber: 17,
    chases_won_cop: 18,
    chases_lost_cop: 19,
    outran_cops: 20,
    net_value: 1_021,
    gaming_time_total: 36_000_000,
    gaming_time_cop: 3_600_000,
    gaming_time_civil: 32_400_000,
    gaming_time_tow: 2_400,
    gaming_time_chasing: 240,
    gaming_time_chased: 420,
    driven_distance_cop: 4_300.2881,
    driven_distance_civil: 523_400.33,
    driven_distance_tow: 3_600.99,
    driven_distance_offroad: 99_100.1,
    driven_distance_chasing: 2_900.3,
    driven_distance_chased: 15_700.36,
    driven_distance_sos: 1_300.94,
    cop_xp: 51,
    robber_xp: 1_552,
    rp_xp: 6_453,
    gumball_distance: 0,
    gumball_time: 0,
    winch_used: 54,
    ramps_placed: 55,
    sos_called: 56,
    sos_responded: 57,
  },
  licenses: [
    {
      type: 'admin',
      name: 'Server Steward',
      dateIssued: 1_393_632_000,
      issuedBy: 0,
      validUntil: 0,
      suspendedUntil: 0,
      revoked: false,
      expired: false,
      suspended: false,
    },
  ],
  properties: [
    { id: 31, type: 'garage', condition: 1, value: 0 },
    { id: 32, type: 'locator', condition: 0.5, value: 7_500 },
  ],
  cars: [
    {
      vin: 'BBBCD',
      type: 'LX6',
      odometerKm: 8_642.135,
      condition: 61.4321,
      wear: 38.5579,
      damage: 0,
      upgrades: [
        { id: 501, type: 'ramp', condition: 0.9987, value: 1_875 },
        { id: 502, type: 'winch', condition: 0.4, value: 3_125 },
        { id: 503, type: 'radar_warner', condition: 1, value: 2_000 },
      ],
    },
  ],
};

/** The later generation: figures by number, ISO dates, `licences` without an issuer, names of things. */
export const profileLater = {
  ...identity,
  isOnline: true,
  dateJoined: '2010-01-01T00:00:00+00:00',
  dateLastSeen: '2024-05-06T07:08:09+00:00',
  stats: { '1': 552_001, '2': 662_002, '3': 17_003, '4': 48_004, '5': 4_005, '6': 235_006, '7': 9_007 },
  licences: [
    {
      id: 'cop',
      name: 'Police Licence',
      dateIssued: '2022-02-03T04:05:06+00:00',
      validUntil: '2023-02-03T04:05:06+00:00',
      suspendedUntil: null,
      revoked: false,
      expired: true,
      suspended: false,
    },
  ],
  properties: [{ id: 71, type: 'ramp', name: 'Ramp', condition: 0.3315, value: 829 }],
  cars: [
    {
      vin: 'CCDEF',
      type: 'MRT.SNOW',
      odometerKm: 654.321,
      condition: 94.38,
      wear: 5.267,
      damage: 0.3531,
      upgrades: [{ id: 71, type: 'ramp', name: 'Ramp', condition: 0.3315, value: 829 }],
    },
  ],
};

/** 2017: a list of one, other spellings, a former owner who is counted and not listed. */
export const carOldSpelling = [
  {
    id: 9,
    vin: 'BBBCD',
    owner: 'rallymum',
    type: 'LX6',
    dateBuilt: 1_356_998_400,
    datePurchase: 1_356_998_400,
    distanceKm: 6_543.21,
    isOnMarket: false,
    numPreOwners: 1,
    isWrecked: 0,
    marketPrice: 0,
    condition: 68.9,
  },
];

/** 2018: never sold, and its owner's purchase listed among the former owners; a trace of damage. */
export const carFirstHand = {
  id: 31_337,
  vin: 'CDKLM',
  owner: 'rallymum',
  nickname: '^2[VR]^7Rita\u203a',
  idOwner: 208,
  type: 'FZ5',
  dateBuilt: 1_512_086_400,
  datePurchase: 0,
  odometerKm: 1_774.5,
  isOnMarket: false,
  numPreowners: 0,
  isWrecked: false,
  marketPrice: 0,
  condition: 87.1246,
  wear: 12.8566,
  damage: 0.0188,
  preOwners: [{ buyer: 'rallymum', buyerId: '208', datePurchase: 1_512_086_400, odometerKm: 0 }],
  upgrades: [{ id: 502, type: 'winch', condition: 0.9992, value: 4_996 }],
};

/** 2017: numbers for what are strings today, and options that the interface no longer names. */
export const optionsAsNumbers = { tccol: 4, lcol: 3, force_mouse: 1, show_speedlimit: 0, chase_debug: 0 };

export const optionsAsText = {
  chase_debug: '1',
  hidead: '00aa11bb22cc33dd44ee55ff66778899',
  loccol: '2',
  locsize: '4',
  money: 'total',
  mph: '1',
  pri_lx6_civ: 'BBBCD',
  spawn_location: 'pit',
  theme: 'night',
};

export const liveFirst = {
  server: 'Two',
  time: 1_491_004_800_250,
  players: { '23': { ...flags, cop: true, siren: true }, '4': flags, '11': { ...flags, caution: true } },
};

/** The later generation: keyed by connection, the player's number in `p`; one is connected and not on the track. */
export const liveLater = {
  t: 1_750_000_000_123,
  n: 'Two',
  tk: 'KY2X',
  ps: {
    '9': {
      u: 9,
      p: 31,
      un: 'rallymum',
      nn: '^2Rita^7[COP]',
      r: 2,
      f: 1,
      x: -12.5,
      s: 0.0,
      l: '^2Ring Road',
      v: 'CCDEF',
    },
    '2': { u: 2, un: 'latecomer', nn: '', r: 1, l: '', v: '' },
  },
};

export const overviewFive = {
  one: { online: true, track: 'KY3X', guests: 36, maxGuests: 36, trackName: 'Oval City' },
  two: { online: true, track: 'KY3X', guests: 35, maxGuests: 36, trackName: 'Oval City' },
  three: { online: true, track: 'BL1X', guests: 1, maxGuests: 36, trackName: '^3Old Quarry' },
  events: { online: false, track: '', guests: 0, maxGuests: 0, trackName: '' },
  training: { online: true, track: 'AS5X', guests: 0, maxGuests: 30, trackName: 'Alp Pass' },
};

/** 2017: everybody by their own ids, no count; channels out of order. */
export const chatOld = {
  channels: [
    { position: 2, id: '202', name: '[VR] Cruise Two' },
    { position: 0, id: '200', name: 'Asleep' },
    { position: 1, id: '201', name: 'Square' },
  ],
  instant_invite: null,
  id: '200000000000000000',
  members: [
    {
      username: '9_lives',
      status: 'online',
      avatar_url: 'https://cdn.example/a.jpg',
      avatar: 'a',
      discriminator: '3063',
      id: '1',
    },
  ],
  name: '[VR] Village',
};

/** The shape that Discord itself publishes today: a count, an invite, nameless avatars. */
export const chatWidget = {
  ...chatOld,
  instant_invite: 'https://discord.com/invite/sandbox',
  members: [
    { id: '0', username: '4321', discriminator: '0000', avatar: null, status: 'idle', avatar_url: '' },
  ],
  presence_count: 1,
};

/** Every refusal that has been published, in its words. */
export const refusals = [
  { errorCode: 400, errorMessage: 'Bad request' },
  { errorCode: 403, errorMessage: 'Not authorised' },
  { errorCode: 403, errorMessage: 'Host not allowed' },
  { errorCode: 403, errorMessage: 'Rate limited exceeded' },
  { errorCode: 403, errorMessage: 'Command not allowed' },
  { errorCode: 501, errorMessage: 'Not implemented' },
];
