// Merge fields that a letter may use: those of the nouns, and the custom fields defined on this instance.

const OF_NOUNS = {
  person: [
    'name',
    'given',
    'family',
    'title',
    'email',
    'phone',
    'country',
    'language',
    'timezone',
    'source',
    'tags',
  ],
  company: ['name', 'domain', 'country', 'size', 'timezone'],
  campaign: ['name', 'goal'],
  identity: ['name', 'address'],
};

const SURROUNDINGS = ['unsubscribe_url', 'postal_address'];

/** `custom` is the person's; a company's own are under `company.custom`. */
export function knownFields(custom: { person: readonly string[]; company: readonly string[] }): string[] {
  const nouns = Object.entries(OF_NOUNS).flatMap(([noun, names]) => names.map((name) => `${noun}.${name}`));
  return [
    ...nouns,
    ...custom.person.map((key) => `custom.${key}`),
    ...custom.company.map((key) => `company.custom.${key}`),
    ...SURROUNDINGS,
  ];
}
