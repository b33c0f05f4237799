// How far someone is with a file: the file itself, what they said about it, its plan, and what is under way. It exists
// outside the screens, so that looking at a person and coming back loses nothing, and in this browser, so that a reload loses
// nothing either; another person finds none of it.
import { useEffect, useSyncExternalStore } from 'react';
import { ApiError } from '../../../../ui/client/call.ts';
import { staleAfter } from '../../../../ui/client/topics.ts';
import type { Plan } from '../contract.ts';
import { UPLOAD_MAX_BYTES } from '../limits.rules.ts';
import type { Basis } from '../../people/screens/shared.ts';
import { findWizard, forgetWizard, keepWizard } from './kept-wizard.ts';
import { sendFile } from './send.ts';
import { bytes, type OnDuplicate } from './words.ts';

export type ImportSaid = {
  /** What was changed of the proposal, by the column's place in the file. */
  goals: Readonly<Record<number, string | null>>;
  on_duplicate: OnDuplicate;
  source: string;
  basis: Basis | '';
  tags: string[];
};

export type Wizard = {
  owner: string;
  file: File | null;
  said: ImportSaid;
  plan: Plan | null;
  /** What had been said when the plan was made: with anything else it is no plan of this. */
  planned: ImportSaid | null;
  /** The share of the file that has gone out; with 1 it is being read. */
  doing: { what: 'plan' | 'write'; share: number } | null;
  refused: ApiError | null;
};

const NOTHING_SAID: ImportSaid = { goals: {}, on_duplicate: 'skip', source: '', basis: '', tags: [] };
const fresh = (owner: string): Wizard => ({
  owner,
  file: null,
  said: NOTHING_SAID,
  plan: null,
  planned: null,
  doing: null,
  refused: null,
});

const NOBODYS = fresh('');
let state = NOBODYS;
let halt: AbortController | null = null;
const listeners = new Set<() => void>();

function set(next: Partial<Wizard>): void {
  const before = state;
  state = { ...state, ...next };
  if (KEPT.some((key) => before[key] !== state[key])) keep(before);
  for (const listener of listeners) listener();
}

/** What a reload must not lose. */
const KEPT = ['file', 'said', 'plan', 'planned'] as const;
/** What was kept is looked for, once for each person. */
let sought = '';

function keep(before: Wizard): void {
  const { owner, file, said, plan } = state;
  if (file && plan) void keepWizard({ owner, file, said, plan, is_plan: isPlanOf(state) });
  else if (before.file && before.owner === owner) void forgetWizard();
}

async function seek(owner: string): Promise<void> {
  sought = owner;
  const kept = await findWizard(owner);
  if (!kept || state.owner !== owner || state.file !== null || state.doing !== null) return;
  const { file, said, plan, is_plan } = kept;
  set({ file, said, plan, planned: is_plan ? said : null });
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useWizard(owner: string): Wizard {
  useEffect(() => {
    if (state.owner !== owner) {
      halt?.abort();
      set(fresh(owner));
    }
    if (sought !== owner) void seek(owner);
  }, [owner]);
  const now = useSyncExternalStore(subscribe, () => state);
  return now.owner === owner ? now : NOBODYS;
}

export const isPlanOf = ({ plan, planned, said }: Wizard): boolean => plan !== null && planned === said;

/** What is sent beside the file. A column goes by its name, and by its place where another one has that name too. */
function argumentsOf({ goals, source, basis, ...said }: ImportSaid, plan: Plan | null): object {
  const columns = plan?.columns ?? [];
  const mapping = Object.fromEntries(
    Object.entries(goals).map(([place, goal]) => {
      const index = Number(place);
      const name = columns.find((column) => column.index === index)?.name ?? '';
      const first = columns.find((column) => column.name === name);
      return [name !== '' && name.length <= 300 && first?.index === index ? name : place, goal];
    }),
  );
  return { ...said, mapping, ...(source.trim() && { source: source.trim() }), ...(basis && { basis }) };
}

export function say(change: Partial<ImportSaid>): void {
  set({ said: { ...state.said, ...change }, refused: null });
}

/** Stops what is being sent; what is being written is not stopped by it. */
export function stopSending(): void {
  if (state.doing?.what !== 'plan') return;
  halt?.abort();
  set({ doing: null, ...(state.plan ? {} : { file: null }) });
}

/** A new file begins again; what was said of every row, and not of a column, stays. */
export async function choose(file: File): Promise<boolean> {
  halt?.abort();
  set({ ...fresh(state.owner), said: { ...state.said, goals: {} } });
  if (file.size > UPLOAD_MAX_BYTES) {
    const says = `This file is ${bytes(file.size)}. The limit is ${bytes(UPLOAD_MAX_BYTES)}: split it and import each part.`;
    set({ refused: new ApiError(413, 'too_large', says) });
    return false;
  }
  set({ file });
  return await makePlan();
}

export const refuse = (says: string): void => set({ refused: new ApiError(400, 'invalid', says) });

/** Whether there is a plan of what is said now. */
export async function makePlan(): Promise<boolean> {
  const { said } = state;
  const plan = await send('plan', true);
  if (!plan?.dry_run) return false;
  set({ plan, planned: said });
  return true;
}

/** The batch that the plan became, or null where it was refused. */
export async function writePlan(): Promise<string | null> {
  const written = await send('write', false);
  if (!written || written.dry_run) return null;
  set(fresh(state.owner));
  void staleAfter('people_import', ['imports', 'suppressions']);
  return written.batch_id;
}

async function send(what: 'plan' | 'write', dry_run: boolean) {
  const { file, said, plan, owner } = state;
  if (!file || state.doing?.what === 'write') return null;
  halt?.abort();
  const mine = new AbortController();
  halt = mine;
  set({ doing: { what, share: 0 }, refused: null });
  const told = (share: number): void => {
    if (halt === mine) set({ doing: { what, share } });
  };
  try {
    const answer = await sendFile(
      file,
      { ...argumentsOf(said, plan), dry_run },
      { told, signal: mine.signal },
    );
    if (halt !== mine || state.owner !== owner) return null;
    set({ doing: null });
    return answer;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A file that no plan came of is not kept: what can be done is to choose another.
    if (halt === mine && error.code !== 'given_up')
      set({ doing: null, refused: error, ...(state.plan ? {} : { file: null }) });
    return null;
  }
}
