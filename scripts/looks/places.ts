// Every screen by its route, and where an example of it is on a running instance: what the screenshots, the lab and the walk
// under the content policy go through. The routes are asked of the router in the page, so that a new one without a line here
// is named.
import type { Page } from '@playwright/test';

/** Reads as the person whose screens are looked at. */
export type Ask = (path: string) => Promise<{ items?: Record<string, string>[] }>;

/** The address of an example; null where there is nothing of the kind yet. */
type Find = (ask: Ask) => Promise<string | null>;

export type Place = { route: string; path: string | null };

/** What else a screen shows at its address: its tabs, its drawers, what one writes in it. */
const VIEWS: Record<string, string[]> = {
  '/people': ['new=person'],
  '/companies': ['new=company'],
  '/deals': ['view=list', 'new=deal'],
  '/campaigns/$campaign': ['steps', 'people', 'review', 'held', 'settings', 'history'].map(
    (tab) => `view=${tab}`,
  ),
  '/sends': ['state=sent', 'state=held'],
  '/work/$project': ['view=list', 'new=item', 'new=settings'],
  '/campaigns': ['new=campaign'],
  '/workflows/$workflow': ['view=runs', 'view=versions'],
  '/settings/suppressions': ['new=suppression'],
  '/settings/templates': ['new=template'],
  '/settings/forms': ['new=form'],
  '/settings/groups': ['open=new'],
  '/settings/users': ['new=invitation'],
  '/settings/api': ['new=token'],
  '/settings/domains': ['new=domain'],
  '/settings/capabilities': ['new=server'],
  '/settings/policies': ['open=new+policy'],
  '/settings/agents': ['open=new'],
};

const is =
  (path: string): Find =>
  () =>
    Promise.resolve(path);

/** The first of a list, by one of its keys, put behind `before`. */
const first =
  (list: string, before: string, key = 'id'): Find =>
  async (ask) => {
    const [item] = (await ask(list)).items ?? [];
    return item ? `${before}/${item[key]}` : null;
  };

/** The fullest of a list of campaigns is the one that is under way. */
const activeCampaign: Find = async (ask) => {
  const { items = [] } = await ask('/api/admin/outreach/campaigns');
  const one = items.find(({ state }) => state === 'active') ?? items[0];
  return one ? `/campaigns/${one['id']}` : null;
};

const item: Find = async (ask) => {
  const project = await first('/api/work/projects', '/work', 'key')(ask);
  return (
    project && (await first(`/api/work/items?project=${project.slice('/work/'.length)}`, project, 'key')(ask))
  );
};

/** No one has to be signed in for these, and no one is while they are looked at. */
export const BEFORE_THE_DESK = ['/setup', '/sign-in', '/invite/$token', '/reset', '/reset/$token'];
/** These lead on to another screen. */
const LEADS_ON = ['/settings', '/settings/audit'];

const PLACES: Record<string, Find> = {
  '/setup': is('/setup'),
  '/sign-in': is('/sign-in'),
  '/invite/$token': is('/invite/not-an-invitation'),
  '/reset': is('/reset'),
  '/reset/$token': is('/reset/not-a-token'),
  '/': is('/'),
  '/start': is('/start'),
  '/guide/$page': is('/guide/getting-started'),
  '/kit': is('/kit'),
  '/inbox': async (ask) => {
    const [thread] = (await ask('/api/inbox')).items ?? [];
    return thread ? `/inbox?open=${thread['id']}` : '/inbox';
  },
  '/inbox/quarantine': is('/inbox/quarantine'),
  '/people': is('/people'),
  '/people/import': is('/people/import'),
  '/people/imports': is('/people/imports'),
  '/people/imports/$batch': first('/api/admin/crm/people/import', '/people/imports'),
  '/people/bulk': is('/people/bulk'),
  '/people/bulk/$job': first('/api/admin/crm/people/bulk', '/people/bulk'),
  '/people/$person': async (ask) => {
    const [thread] = (await ask('/api/inbox')).items ?? [];
    return thread?.['person_id']
      ? `/people/${thread['person_id']}`
      : await first('/api/admin/crm/people', '/people')(ask);
  },
  '/companies': is('/companies'),
  '/companies/$company': first('/api/admin/crm/companies', '/companies'),
  '/deals': is('/deals'),
  '/deals/$deal': first('/api/admin/crm/deals', '/deals'),
  '/review': is('/review'),
  '/sends': is('/sends'),
  '/sends/$send': first('/api/admin/outreach/sends?state=sent', '/sends'),
  '/campaigns': is('/campaigns'),
  '/campaigns/$campaign': activeCampaign,
  '/work': is('/work'),
  '/work/$project': first('/api/work/projects', '/work', 'key'),
  '/work/$project/$item': item,
  '/approvals': is('/approvals'),
  '/chat': is('/chat'),
  '/workflows': is('/workflows'),
  '/workflows/new': is('/workflows/new'),
  '/workflows/$workflow': first('/api/workflows', '/workflows'),
  '/workflows/runs/$run': first('/api/workflows/runs', '/workflows/runs'),
  '/activity': is('/activity'),
  '/settings/profile': is('/settings/profile'),
  '/settings/sessions': is('/settings/sessions'),
  '/settings/api': is('/settings/api'),
  '/settings/api/connect': is('/settings/api/connect'),
  '/settings/users': is('/settings/users'),
  '/settings/groups': is('/settings/groups'),
  '/settings/policies': is('/settings/policies'),
  '/settings/policies/explain': is('/settings/policies/explain'),
  '/settings/security': is('/settings/security'),
  '/settings/instance': is('/settings/instance'),
  '/settings/integrations': is('/settings/integrations'),
  '/settings/pipeline': is('/settings/pipeline'),
  '/settings/fields': is('/settings/fields'),
  '/settings/suppressions': is('/settings/suppressions'),
  '/settings/domains': is('/settings/domains'),
  '/settings/domains/$domain': first('/api/admin/outreach/domains', '/settings/domains'),
  '/settings/identities': is('/settings/identities'),
  '/settings/identities/new': is('/settings/identities/new'),
  '/settings/identities/$identity': first('/api/admin/outreach/identities', '/settings/identities'),
  '/settings/postal-addresses': is('/settings/postal-addresses'),
  '/settings/templates': is('/settings/templates'),
  '/settings/capabilities': is('/settings/capabilities'),
  '/settings/capabilities/$capability': first('/api/admin/capabilities', '/settings/capabilities'),
  '/settings/agents': is('/settings/agents'),
  '/settings/workflows': is('/settings/workflows'),
  '/settings/scripts': is('/settings/scripts'),
  '/settings/forms': is('/settings/forms'),
};

/** The routes of the screens that were loaded into this page, without those that only lead on. */
export async function routesOf(page: Page): Promise<string[]> {
  const all = await page.evaluate(() => {
    const { __TSR_ROUTER__: router } = globalThis as unknown as {
      __TSR_ROUTER__: { routesByPath: Record<string, unknown> };
    };
    return Object.keys(router.routesByPath);
  });
  const screens = new Set(all.map((path) => (path === '/' ? path : path.replace(/\/$/, ''))));
  return [...screens].filter((path) => !LEADS_ON.includes(path));
}

/** Its views as places of their own, named as in the address. */
export const viewsOf = ({ route, path }: Place): Place[] =>
  path === null
    ? []
    : (VIEWS[route] ?? []).map((view) => ({
        route: `${route}?${view}`,
        path: `${path.split('?')[0]}?${view}`,
      }));

/** Where each of these routes is looked at; a route that nothing is said of, or a line without a route, stops it. */
export async function placesOf(routes: string[], ask: Ask): Promise<Place[]> {
  const unknown = routes.filter((route) => !(route in PLACES));
  const gone = Object.keys(PLACES).filter((route) => !routes.includes(route));
  if (unknown.length + gone.length > 0)
    throw new Error(
      `scripts/looks/places.ts says nothing of ${unknown.join(', ') || 'no route'}, and ${gone.join(', ') || 'none'} is no route: give each route its example there`,
    );
  const places: Place[] = [];
  for (const route of routes) places.push({ route, path: (await PLACES[route]?.(ask)) ?? null });
  return places;
}
