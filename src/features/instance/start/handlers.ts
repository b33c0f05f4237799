// Handlers of the first steps and of sample data.
import { opensOutside } from '../../../net/reach.ts';
import { mailIsSetUp } from '../../access/instance-mail/way.store.ts';
import { notThere, conflict } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
import { sampleCreate, sampleDelete, startDismiss, startGet, type StepKey } from './contract.ts';
import { planDesk, SAMPLE, writeDesk } from './make.ts';
import { keepDismissed, progressOf } from './progress.store.ts';
import { stageKeys } from './rows.store.ts';
import { markSamples, removeSamples, samplesStand, takeSamplesTurn } from './samples.store.ts';

/** The same desk every time. */
const SEED = 20_26;
const PROJECT = { key: 'SAMPLE', name: 'Sample project' };

const step = (key: StepKey, done: number, begun: number) =>
  ({ key, state: done > 0 ? 'done' : begun > 0 ? 'begun' : 'open' }) as const;

export const get = bind(startGet, async ({ db, caller, app }) => {
  const [is, samples, mail] = await Promise.all([
    progressOf(db, caller.user_id),
    samplesStand(db),
    mailIsSetUp(db),
  ]);
  return {
    steps: [
      step('domain', is.verified, is.domains),
      step('identity', is.active, is.identities),
      step('postal_address', Number(is.postal_address), 0),
      step('people', Number(is.people), 0),
      step('campaign', is.activated, is.campaigns),
      step('agent', is.agents, is.tokens),
      step('mail', Number(mail), 0),
      step('second_factor', Number(is.second_factor), 0),
    ],
    dismissed: is.dismissed,
    samples,
    address: { base_url: app.instance.base_url, opens_outside: opensOutside(app.instance.base_url) },
  };
});

export const dismiss = bind(startDismiss, async ({ db, caller, now, tell }, { dismissed }) => {
  if (caller.user_id) {
    await keepDismissed(db, caller.user_id, dismissed ? now : null);
    tell('me', caller.user_id);
  }
  return { ok: true } as const;
});

export const create = bind(sampleCreate, async ({ db, app, caller, now, tell }) => {
  await takeSamplesTurn(db);
  if (await samplesStand(db))
    throw conflict('sample data already exists: remove it before you create it again');
  if (!caller.user_id) throw new Error('the gate let through somebody who is no person');
  const by = { kind: 'person', id: caller.user_id, name: caller.principal.name } as const;
  const wishes = {
    seed: SEED,
    now,
    by,
    user_id: caller.user_id,
    stages: await stageKeys(db),
    project: PROJECT,
    instance: app.instance.name,
  };
  const plan = await planDesk(app, wishes, SAMPLE);
  await writeDesk(db, app, plan, SAMPLE);
  await markSamples(db, plan);
  tell('samples', '');
  return { ok: true } as const;
});

export const remove = bind(sampleDelete, async ({ db, tell }) => {
  await takeSamplesTurn(db);
  if (!(await samplesStand(db))) throw notThere('no sample data exists: it may have been removed already');
  await removeSamples(db);
  tell('samples', '');
  return { ok: true } as const;
});
