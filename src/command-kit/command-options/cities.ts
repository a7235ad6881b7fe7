/** Big cities that name no time zone, as the speakers of each language call them: `Intl` has no names of cities. */
const citiesByLanguage: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {
    'Europe/London': 'Manchester, Birmingham, Liverpool, Leeds, Glasgow, Edinburgh, Cardiff, Bristol',
    'Europe/Berlin': 'Munich, Cologne',
    'Europe/Rome': 'Milan, Naples, Turin, Florence, Venice',
    'Europe/Zurich': 'Geneva',
    'America/New_York': 'Boston, Miami, Atlanta, Washington, Philadelphia',
    'America/Chicago': 'Houston, Dallas, Austin',
    'America/Los_Angeles': 'San Francisco, San Diego, Seattle, Las Vegas',
    'America/Toronto': 'Montreal, Ottawa',
    'Asia/Kolkata': 'Mumbai, Delhi, Bangalore',
  },
  de: {
    'Europe/Berlin':
      'München, Köln, Hamburg, Frankfurt, Stuttgart, Düsseldorf, Leipzig, Dresden, Hannover, Nürnberg',
    'Europe/Vienna': 'Wien, Graz, Linz, Salzburg',
    'Europe/Zurich': 'Genf, Basel, Bern',
  },
  fr: {
    'Europe/Paris': 'Lyon, Marseille, Toulouse, Nice, Nantes, Bordeaux, Lille, Strasbourg',
    'Europe/Brussels': 'Bruxelles, Liège, Namur',
    'Europe/Zurich': 'Genève, Lausanne',
    'America/Toronto': 'Montréal, Québec',
    'Africa/Algiers': 'Alger',
  },
  es: {
    'Europe/Madrid': 'Barcelona, Sevilla, Zaragoza, Málaga, Bilbao',
    'America/Mexico_City': 'Ciudad de México, Guadalajara, Puebla',
    'America/Bogota': 'Medellín, Cali',
    'America/Guayaquil': 'Quito',
    'America/Havana': 'La Habana',
  },
  pt: {
    'America/Sao_Paulo':
      'Rio de Janeiro, Brasília, Belo Horizonte, Curitiba, Porto Alegre, Florianópolis, Goiânia',
    'America/Bahia': 'Salvador',
    'Europe/Lisbon': 'Lisboa, Porto',
  },
  it: {
    'Europe/Rome': 'Roma, Milano, Napoli, Torino, Palermo, Genova, Bologna, Firenze, Venezia',
    'Europe/Zurich': 'Ginevra, Lugano',
  },
  nl: {
    'Europe/Amsterdam': 'Rotterdam, Den Haag, Utrecht, Eindhoven, Groningen',
    'Europe/Brussels': 'Brussel, Antwerpen, Gent',
  },
  pl: { 'Europe/Warsaw': 'Warszawa, Kraków, Łódź, Wrocław, Poznań, Gdańsk, Katowice, Szczecin, Lublin' },
  ru: {
    'Europe/Moscow': 'Москва, Санкт-Петербург, Казань, Нижний Новгород',
    'Europe/Samara': 'Самара',
    'Asia/Yekaterinburg': 'Екатеринбург, Челябинск, Уфа',
    'Asia/Novosibirsk': 'Новосибирск',
    'Asia/Omsk': 'Омск',
    'Asia/Krasnoyarsk': 'Красноярск',
    'Asia/Vladivostok': 'Владивосток',
    'Asia/Almaty': 'Алматы, Астана',
    'Europe/Kyiv': 'Киев, Харьков, Одесса',
    'Europe/Minsk': 'Минск',
  },
  tr: { 'Europe/Istanbul': 'Ankara, İzmir, Bursa, Antalya, Adana, Konya, Gaziantep' },
};

/** Returns each of these cities with its time zone. */
export function bigCities(): readonly { readonly name: string; readonly zone: string }[] {
  return Object.values(citiesByLanguage).flatMap((cities) =>
    Object.entries(cities).flatMap(([zone, names]) => names.split(', ').map((name) => ({ name, zone }))),
  );
}
