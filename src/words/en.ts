/** English: what people read, and nothing else. Every key stands in every language with the same placeholders. */
export const en = {
  profile: {
    description: "A driver's record: licences, garage, properties",
    options: {
      player: 'Username in the game',
    },
  },
  car: {
    description: 'A car by its VIN: owner, condition, price, history',
    options: {
      vin: 'Five letters or digits, for example AB12C',
    },
  },
  input: {
    vin: 'A VIN is five letters or digits, for example `AB12C`.',
    username: 'A username is 1 to 64 printable characters.',
  },
} as const;
