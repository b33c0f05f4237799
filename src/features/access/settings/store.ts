// All SQL of settings: one row per section, and the defaults.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Settings } from './contract.ts';

/** Sections that are kept in the database; `instance` comes from the environment. */
export type Kept = Omit<Settings, 'instance'>;

const UNSAID: Kept = {
  security: { decide_on_screen_only: false },
  chat: {
    default_model: null,
    tokens_per_turn: 200_000,
    tokens_per_caller_per_day: 2_000_000,
    tokens_per_day: 10_000_000,
  },
  workflows: { runs_per_hour: 5_000, turns_per_hour: 120, tokens_per_day: 1_000_000 },
};

export async function readSettings(db: Reader | Transaction): Promise<Kept> {
  const rows = await db<
    { section: string; value: object }[]
  >`select section, value from settings where section in ('security', 'chat', 'workflows')`;
  const said = Object.fromEntries(rows.map((row) => [row.section, row.value]));
  return {
    security: { ...UNSAID.security, ...said['security'] },
    chat: { ...UNSAID.chat, ...said['chat'] },
    workflows: { ...UNSAID.workflows, ...said['workflows'] },
  };
}

/** Changes what is given and leaves the rest of the section. */
export async function keepSettings(
  tx: Transaction,
  section: keyof Kept,
  given: Partial<Kept[keyof Kept]>,
): Promise<void> {
  await tx`
    insert into settings (section, value) values (${section}, ${tx.json(given)})
    on conflict (section) do update set value = settings.value || excluded.value`;
}
