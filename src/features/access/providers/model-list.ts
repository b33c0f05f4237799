// Lists a provider’s models: the cheapest request that needs the key, and what people choose from.
import type { Account, Asked, RefusedWhy } from '../../../mail/vendor/vendor.ts';
import { SECOND_MS } from '../../../kernel/clock.ts';
import { ask } from '../../../net/ask.ts';

/** The two languages that models are spoken to in. */
export type Speaks = 'anthropic' | 'openai';

const ASKING = { timeoutMs: 8 * SECOND_MS, limitBytes: 4 * 1024 * 1024 };

/** What it answered, as text. */
export async function listModels(account: Account, speaks: Speaks): Promise<Asked<string>> {
  const key = account.key.reveal();
  const own: Record<string, string> =
    speaks === 'anthropic'
      ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
      : { authorization: `Bearer ${key}` };
  const headers = { ...own, accept: 'application/json', 'user-agent': account.agent };
  const told = await ask(
    { method: 'GET', url: `${account.base_url}/models?limit=500`, headers, ...ASKING },
    account.reach,
  );
  if (told.error !== null) return { ok: false, why: 'unreachable' };
  if (told.status === 200) return { ok: true, value: told.text };
  return { ok: false, why: WHY.get(told.status) ?? (told.status >= 500 ? 'unreachable' : 'refused') };
}

const WHY = new Map<number, RefusedWhy>([
  [401, 'key'],
  [403, 'key'],
  [404, 'gone'],
  [429, 'busy'],
]);
