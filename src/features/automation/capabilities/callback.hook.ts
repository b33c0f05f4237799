// Where browsers return after signing in at a server, and where that server reads who we are. No session is checked
// here, because a browser coming from another site sends none: the result is passed on to the screen, which redeems
// it as its person.
import { notThere } from '../../../kernel/refusal.ts';
import type { Hook, HookAnswer } from '../../../kernel/hook.ts';
import { clientMetadata } from './oauth.ts';
import { callbackOf, describedAt } from './reach.ts';

const SCREEN = '/settings/capabilities';
const HANDED_ON = { state: 200, code: 4_000, iss: 2_000 };

export const oauthHook: Hook = {
  method: 'GET',
  path: '/oauth/:step',
  async handle(app, { name, query }): Promise<HookAnswer> {
    if (name === 'callback')
      return {
        status: 303,
        headers: { location: `${SCREEN}?${handedOn(query)}`, 'referrer-policy': 'no-referrer' },
        body: '',
      };
    const client_id = describedAt(app);
    if (name !== 'client.json' || client_id === null) throw notThere('no page has that address');
    const description = {
      client_id,
      client_uri: app.instance.base_url,
      ...clientMetadata(callbackOf(app)),
      token_endpoint_auth_method: 'none',
    };
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(description),
    };
  },
};

/** Three values, each at most once and bounded; of an error, or an answer that no one can redeem, only that there was one. */
function handedOn(query: string): string {
  const given = new URLSearchParams(query);
  const handed = new URLSearchParams();
  if (given.has('error')) return 'refused=1';
  for (const [name, most] of Object.entries(HANDED_ON)) {
    const [value, ...more] = given.getAll(name);
    if (value !== undefined && more.length === 0 && value.length <= most) handed.set(name, value);
  }
  return handed.has('state') && handed.has('code') ? handed.toString() : 'refused=1';
}
