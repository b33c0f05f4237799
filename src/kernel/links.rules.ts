// Links to screens: the one table of addresses that answers give people, `open_at` to look at a record and `sign_at` to decide.
// A test compares it with the screens’ routes.

const at = (address: string) => (): string => address;
const each =
  (address: string) =>
  (id: string): string =>
    `${address}${encodeURIComponent(id)}`;

export const SCREENS = {
  today: at('/'),
  activity: at('/activity'),
  approvals: at('/approvals'),
  approval: each('/approvals?open='),
  campaigns: at('/campaigns'),
  campaign: each('/campaigns/'),
  company: each('/companies/'),
  deals: at('/deals'),
  deal: each('/deals/'),
  domains: at('/settings/domains'),
  domain: each('/settings/domains/'),
  identity: each('/settings/identities/'),
  inbox: at('/inbox'),
  thread: each('/inbox?open='),
  quarantine: at('/inbox/quarantine'),
  integrations: at('/settings/integrations'),
  /** By its key, such as `OUT-12`. */
  item: (key: string): string => `/work/${key.slice(0, Math.max(key.lastIndexOf('-'), 0))}/${key}`,
  letters: at('/sends'),
  letter: each('/sends/'),
  people: at('/people'),
  person: each('/people/'),
  /** By its key. */
  project: each('/work/'),
  review: at('/review'),
  reviewed_letter: each('/review?open='),
  suppressions: at('/settings/suppressions'),
  tokens: at('/settings/api'),
  workflow: each('/workflows/'),
  run: each('/workflows/runs/'),
} as const;

export type Screen = keyof typeof SCREENS;

/** The whole address of a screen; those of one record take its id. */
export const screenUrl = <S extends Screen>(
  { base_url }: { base_url: string },
  screen: S,
  ...of: Parameters<(typeof SCREENS)[S]>
): string => {
  const address = SCREENS[screen] as (...of: string[]) => string;
  return `${base_url.endsWith('/') ? base_url.slice(0, -1) : base_url}${address(...of)}`;
};
