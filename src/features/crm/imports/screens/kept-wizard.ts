// The file of an import, what was said about it and its plan, kept in this browser while the plan is valid, so that a reload loses
// none of them. Only the person who chose the file finds it again.
import { KEPT_FILES } from '../../../../ui/kit/kept-files.ts';
import type { Plan } from '../contract.ts';
import type { ImportSaid } from './wizard.ts';

type KeptWizard = {
  owner: string;
  file: File;
  said: ImportSaid;
  plan: Plan;
  /** It is the plan of what was said. */
  is_plan: boolean;
};

const STORE = 'wizard';
const KEY = 'now';

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(KEPT_FILES, 1);
    asked.addEventListener('upgradeneeded', () => void asked.result.createObjectStore(STORE));
    asked.addEventListener('success', () => resolve(asked.result));
    asked.addEventListener('error', () => reject(new Error('this browser keeps no files')));
  });
}

async function within<T>(how: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const asked = act(database.transaction(STORE, how).objectStore(STORE));
      asked.addEventListener('success', () => resolve(asked.result));
      asked.addEventListener('error', () => reject(new Error('this browser could not keep the file')));
    });
  } finally {
    database.close();
  }
}

let last: Promise<void> = Promise.resolve();

/** One after the other. Some private windows keep nothing: then it holds until the page is closed. */
function inTurn(act: () => Promise<unknown>): Promise<void> {
  last = last.then(act).then(
    () => undefined,
    () => undefined,
  );
  return last;
}

export const keepWizard = (wizard: KeptWizard): Promise<void> =>
  inTurn(() => within('readwrite', (store) => store.put(wizard, KEY)));

export const forgetWizard = (): Promise<void> =>
  inTurn(() => within('readwrite', (store) => store.delete(KEY)));

/** What is kept of someone else, or is too old, goes. */
export async function findWizard(owner: string): Promise<KeptWizard | null> {
  try {
    const kept = (await within('readonly', (store) => store.get(KEY))) as KeptWizard | undefined;
    if (!kept) return null;
    if (kept.owner === owner && Date.parse(kept.plan.preview.expires_at) > Date.now()) return kept;
    await forgetWizard();
    return null;
  } catch {
    return null;
  }
}
