// Usable models: those of the providers whose keys are saved, as each provider lists them, and the default where none
// is named.
import { MINUTE_MS, after } from '../../../kernel/clock.ts';
import type { Reader } from '../../../kernel/database.ts';
import type { App } from '../../../kernel/app.ts';
import { conflict, invalid, Refusal } from '../../../kernel/refusal.ts';
import { listModels, type Speaks } from '../../access/providers/model-list.ts';
import { type Provider, PROVIDER_NAMES, providerEntry } from '../../access/providers/registry.rules.ts';
import { providerAccount, savedKeys } from '../../access/providers/store.ts';
import { readSettings } from '../../access/settings/store.ts';
import type { Model } from './model.ts';
import { type ModelAccount, openModel } from './speak.ts';
import { troubleSentence } from './trouble.ts';

export const MODEL_PROVIDERS = PROVIDER_NAMES.filter((name) => providerEntry(name).kind === 'model');
const speaks = (provider: Provider): Speaks => (provider === 'anthropic' ? 'anthropic' : 'openai');

export const NO_MODEL =
  'no model is available yet: an administrator can save a model provider’s keys in Settings → Integrations';

const NO_KEY = 'no key is saved: an administrator can save one in Settings → Integrations';

async function accountOf(app: App, db: Reader, provider: Provider): Promise<ModelAccount | null> {
  const account = await providerAccount(db, app, provider);
  return account && { ...account, provider, title: providerEntry(provider).title, speaks: speaks(provider) };
}

type Listed = {
  provider: Provider;
  title: string;
  /** Names of models, or why there are none. */
  models: string[];
  state: 'usable' | 'no_keys' | 'failing';
  sentence: string | null;
};

/** Asks every provider at once; none of them holds up the others for longer than its own time limit. */
export function askProviders(app: App, db: Reader): Promise<Listed[]> {
  return Promise.all(MODEL_PROVIDERS.map((provider) => askProvider(app, db, provider)));
}

async function askProvider(app: App, db: Reader, provider: Provider): Promise<Listed> {
  const { title } = providerEntry(provider);
  const account = await accountOf(app, db, provider);
  if (!account) return { provider, title, models: [], state: 'no_keys', sentence: NO_KEY };
  const asked = await listModels(account, account.speaks);
  if (asked.ok) {
    const models = namesIn(asked.value).map((id) => `${provider}/${id}`);
    return { provider, title, models, state: 'usable', sentence: null };
  }
  // An address that may not be called any more reads as one that does not answer.
  const why = asked.why === 'gone' ? 'refused' : asked.why;
  return { provider, title, models: [], state: 'failing', sentence: troubleSentence(why, title, '', null) };
}

// What such servers list beside models that one can talk to.
const NO_TALKERS = /embed|whisper|tts|dall-e|moderation|image|audio|realtime|transcri|rerank|sora/i;
const MOST_LISTED = 500;

/** Names alone, and only such as can be in a model's name of ours: the rest of what was answered is not carried on. */
function namesIn(text: string): string[] {
  try {
    const { data } = JSON.parse(text) as { data?: unknown };
    const ids = (Array.isArray(data) ? data : []).map(
      (each: unknown) => (each as { id?: unknown } | null)?.id,
    );
    return ids
      .filter((each): each is string => typeof each === 'string' && /^[\w.:@/-]{1,200}$/.test(each))
      .filter((each) => !NO_TALKERS.test(each))
      .slice(0, MOST_LISTED);
  } catch {
    return [];
  }
}

/** Kept for a while, so that not every turn begins with a question about models. */
const remembered = new WeakMap<App, { name: string; until: Date }>();
const REMEMBER_MS = 10 * MINUTE_MS;

/** What is asked where no one names a model; null: no provider lists any. */
async function defaultModel(app: App, db: Reader): Promise<string | null> {
  const { chat } = await readSettings(db);
  if (chat.default_model !== null) return chat.default_model;
  const kept = remembered.get(app);
  const stands = kept && kept.until > app.clock.now() && (await savedKeys(db, MODEL_PROVIDERS));
  if (stands && stands.some((provider) => kept.name.startsWith(`${provider}/`))) return kept.name;
  return firstOf(app, await askProviders(app, db));
}

export function firstOf(app: App, listed: readonly Listed[]): string | null {
  const [name] = listed.flatMap(({ models }) => models);
  if (name === undefined) return null;
  remembered.set(app, { name, until: after(app.clock.now(), REMEMBER_MS) });
  return name;
}

/**
 * The model that is meant: the first of `wanted` that is said, or the instance's. Throws a refusal that says who can fix it
 * where there is none.
 */
export async function chooseModel(app: App, db: Reader, ...wanted: (string | null)[]): Promise<Model> {
  const said = wanted.find((each) => each !== null) ?? null;
  const name = said ?? (await defaultModel(app, db));
  if (name === null) {
    const troubled = (await askProviders(app, db)).find(({ state }) => state === 'failing');
    throw troubled ? new Refusal(503, 'unavailable', troubled.sentence ?? NO_MODEL) : conflict(NO_MODEL);
  }
  const [provider = '', ...id] = name.split('/');
  const known = MODEL_PROVIDERS.find((each) => each === provider);
  if (!known) {
    const says = `model: no provider has a model "${name.slice(0, 100)}"; GET /api/models lists models`;
    throw invalid(says, { model: says });
  }
  const account = await accountOf(app, db, known);
  if (account) return openModel(account, id.join('/'));
  throw conflict(
    `no ${providerEntry(known).title} keys are saved, so its models can’t be used: an administrator can save them in Settings → Integrations`,
  );
}
