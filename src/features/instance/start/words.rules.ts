// The words of a made-up desk: names, trades, letters and what is written back. A rope and sail maker writes to shipyards.

export const PLACES =
  'Halden Aveyron Brixmoor Calder Dunmore Eskdale Farrow Glenmoor Hartwick Inverley Jutland Kestrel Lindholm Marlow Norwick Oakhaven Penrose Quayside Ravensby Solent Tarnbrook Ulverdale Vesterby Westmark'.split(
    ' ',
  );
export const TRADES =
  'Shipyard|Marine Works|Boatbuilders|Rigging|Ferries|Sailing School|Harbour Services|Yachts|Coastal Lines|Fisheries|Dock Company|Charter|Salvage|Lifeboats|Canal Tours|Naval Architects'.split(
    '|',
  );
export const GIVEN =
  'Amara Bertil Chiara Dario Elif Femke Goran Hana Ivo Jolanda Kaito Leonie Mateo Nadia Oskar Paloma Quirin Rosa Stellan Tamsin Ulla Viktor Wanda Xenia Yusuf Zofia Aino Bruno Celeste Dagny Emre Fiona Gustav Hedda Idris Jana Kofi Lucia Milan Noor'.split(
    ' ',
  );
export const FAMILY =
  'Aalto Bergström Castellani Dvořák Eriksen Ferreira Grünwald Haugen Ivanova Jensen Kowalski Lindqvist Moreau Nakamura Okonkwo Petrov Quintero Rasmussen Santos Tanaka Ueda Vasquez Wójcik Yilmaz Zeller Abara Brandt Cortez Dahl Engel Fontaine Garnier Holm Iversen Jovanović Keller Laurent Marchetti Novak Olsen Pereira Ricci Sørensen Thorne Underhill Virtanen Weiss Adler Bianchi Clarke'.split(
    ' ',
  );
export const TITLES = [
  'Head of Purchasing',
  'Fleet Manager',
  'Owner',
  'Technical Director',
  'Yard Manager',
  'Operations Lead',
  'Buyer',
  'Chief Engineer',
] as const;
export const TAGS = ['boat show', 'newsletter', 'visited', 'asked for prices'] as const;
export const COUNTRIES = [
  ['NO', 'Europe/Oslo'],
  ['SE', 'Europe/Stockholm'],
  ['DK', 'Europe/Copenhagen'],
  ['NL', 'Europe/Amsterdam'],
  ['GB', 'Europe/London'],
  ['PT', 'Europe/Lisbon'],
] as const;
export const SIZES = ['1–10', '11–50', '51–200', '201–1000'] as const;

export type StepWords = { wait_days: number; subject: string | null; text: string };

export const STEPS: readonly StepWords[] = [
  {
    wait_days: 0,
    subject: 'Rope for {{ company.name }}',
    text: `Hello {{ person.given }},

we make mooring lines and running rigging for working boats, and saw that {{ company.name }} keeps a fleet of its own.

Lines of ours last about two seasons longer than what most yards buy. May I send you a metre of each to try?`,
  },
  {
    wait_days: 3,
    subject: null,
    text: `Hello {{ person.given }},

a metre of 16 mm line would go out to you this week, free of charge. Where should it go?`,
  },
  {
    wait_days: 4,
    subject: null,
    text: `Hello {{ person.given }},

I do not want to fill your inbox: this is my last letter. If rope comes up again, a short answer is enough and I am there.`,
  },
];

export const SIGNATURE = 'Ada Operator\nHalyard Rope & Sail';

/** What they write back, by how it is read. */
export const ANSWERS = {
  positive: [
    'Good timing: we order lines for eight boats in spring. Please send the metre, and a price for 600 m of 16 mm.',
    'Yes please, send it to the yard office. Could you also say how it does in frost?',
    'We are not happy with our present supplier. Can we talk on Thursday morning?',
  ],
  neutral: [
    'What does it cost, and how long is delivery? We can wait until May, not longer.',
    'We bought this year already. Write again in autumn.',
    'Is it certified to EN ISO 2307? Without that our insurer says no.',
  ],
  negative: ['Thank you, but we splice our own.', 'No need for rope here: we sold the boats last year.'],
  referral: ['That is for my colleague in purchasing; I have put her in copy.'],
  unsubscribe: ['Please take us off your list.'],
  out_of_office: ['I am at sea until the 20th and read no mail. In urgent cases call the yard.'],
  unread: ['See attached. Regards'],
} as const;

export const OURS = {
  positive: [
    'Thank you! The metre goes out today. I will call next week to hear how it feels.',
    'Gladly. It does well in frost down to −25 °C; the data sheet comes with the sample.',
  ],
  neutral: ['Fair question. Prices and delivery times are attached; shall I keep a place for you in May?'],
  negative: ['Thank you for saying so. I will not write again.'],
  referral: ['Thank you, I will write to her.'],
} as const;

export const CARDS = [
  'Find forty ferry companies on the west coast',
  'Check addresses that came back from the boat show',
  'Draft a letter for yards that asked for prices',
  'Compare our price list with last season',
  'Write to the ten oldest customers',
  'Tidy companies that stand twice',
  'Ask the insurer what certificate they need',
  'Prepare figures for the Monday meeting',
  'Answer the question about frost',
  'Collect photographs of spliced lines',
  'Read what was said about delivery times',
  'Plan the autumn letters to sailing schools',
  'Find out who buys for the lifeboats',
  'Translate the data sheet into Norwegian',
  'Sort replies of last week by need',
  'Look for yards that changed owners',
] as const;
export const LABELS = ['research', 'letters', 'data', 'follow-up'] as const;
export const COMMENT = 'I went through the first half; the rest needs somebody who knows the yards.';
