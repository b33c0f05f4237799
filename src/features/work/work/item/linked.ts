// Checks that the links of a work item lead to records of the kind they name, as the caller may read them.
import type { WriteContext } from '../../../../kernel/context.ts';
import { isUuid } from '../../../../kernel/ids.ts';
import { pathKeys } from '../../../../kernel/operation.ts';
import { Refusal, stop } from '../../../../kernel/refusal.ts';
import { asRefusal } from '../../../crm/fields/rules.ts';
import type { Item } from '../items.contract.ts';

/** Records of the product; an address is any. */
const RECORDS: readonly string[] = ['person', 'campaign', 'thread', 'send', 'deal', 'run'];

const WORD: Readonly<Record<string, string>> = { send: 'letter', thread: 'conversation' };

type Links = Item['links'];

/** Throws a Refusal that names every new link whose id is no record of its kind; those that are there already stay. */
export async function checkLinks(context: WriteContext, links: Links, before: Links): Promise<void> {
  const known = new Set(before.map(({ kind, ref }) => `${kind} ${ref}`));
  const faults: Record<string, string> = {};
  for (const [at, { kind, ref }] of links.entries()) {
    if (known.has(`${kind} ${ref}`) || !isUuid(ref) || (await isThere(context, kind, ref))) continue;
    faults[`links.${at}.ref`] = `links.${at}.ref: no ${WORD[kind] ?? kind} has that id`;
  }
  stop(asRefusal(faults));
}

async function isThere(context: WriteContext, kind: string, ref: string): Promise<boolean> {
  if (!RECORDS.includes(kind)) return true;
  const { bound } = context.app;
  const operation = (bound.get(`${kind}_read`) ?? bound.get(`${kind}_get`))?.operation;
  const [key] = operation ? pathKeys(operation.path) : [];
  if (!operation || key === undefined) return true;
  try {
    await context.invoke(operation, { [key]: ref });
    return true;
  } catch (error) {
    // Whoever may not read it is not told whether it is there.
    if (error instanceof Refusal) return error.code !== 'not_found';
    throw error;
  }
}
