// Asks each kind for what it knows by those words, through its own operation or loader: whoever may not read a kind finds none
// of it, and whom a policy keeps from single rows does not find those.
import { couldAllow } from '../../../kernel/policy.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { bind, type ReadContext } from '../../../kernel/context.ts';
import { searchQuery } from '../../../kernel/words.ts';
import { findCampaigns } from '../../outreach/campaigns/search.store.ts';
import { companyList } from '../../crm/companies/contract.ts';
import { dealList } from '../../crm/deals/contract.ts';
import { short } from '../digests/section.ts';
import { personList } from '../../crm/people/contract.ts';
import { mailSearch } from '../../inbox/threads/touches.contract.ts';
import { itemList } from '../../work/work/items.contract.ts';
import { type FoundRecord, type Kind, searchFind } from './contract.ts';

/** Several touches belong to one conversation. */
const TOUCHES_EACH = 4;
const LINE = 120;

type Row = Omit<FoundRecord, 'kind'>;
type Finder = { action: string; find(context: ReadContext, query: string, limit: number): Promise<Row[]> };

const row = (id: string, title: string, says: (string | null | undefined)[], place: string): Row => ({
  id,
  title: short(title, LINE),
  says: says
    .filter(Boolean)
    .map((part) => short(part ?? '', LINE))
    .join(' · '),
  place,
});

const FINDERS: Record<Kind, Finder> = {
  person: {
    action: 'crm.person.read',
    find: async (context, query, limit) =>
      (await context.invoke(personList, { query, limit, sort: 'updated' })).items.map((one) =>
        row(one.id, one.name, [one.title, one.company?.name, one.addresses[0]?.value], `/people/${one.id}`),
      ),
  },
  company: {
    action: 'crm.company.read',
    find: async (context, query, limit) =>
      (await context.invoke(companyList, { query, limit, sort: 'updated' })).items.map((one) =>
        row(one.id, one.name, [one.domain], `/companies/${one.id}`),
      ),
  },
  campaign: {
    action: 'outreach.campaign.read',
    find: async (context, query, limit) => {
      const words = searchQuery(query);
      const campaigns = words === null ? [] : await findCampaigns(context.db, context.caller, words, limit);
      return campaigns.map((one) =>
        row(one.id, one.name, [`Campaign, ${one.state}`], `/campaigns/${one.id}`),
      );
    },
  },
  deal: {
    action: 'crm.deal.read',
    find: async (context, query, limit) =>
      (await context.invoke(dealList, { query, limit })).items.map((one) =>
        row(one.id, one.name, [one.state], `/deals/${one.id}`),
      ),
  },
  thread: { action: 'mail.message.read', find: findThreads },
  item: {
    action: 'work.item.read',
    find: async (context, query, limit) =>
      (await context.invoke(itemList, { query, limit })).items.map((one) =>
        row(one.id, one.title, [one.key], `/work/${one.key.slice(0, one.key.lastIndexOf('-'))}/${one.key}`),
      ),
  },
};

/** The newest thing said represents its conversation. */
async function findThreads(context: ReadContext, query: string, limit: number): Promise<Row[]> {
  const { items } = await context.invoke(mailSearch, { query, limit: limit * TOUCHES_EACH });
  const newest = new Map<string, Row>();
  for (const touch of items)
    if (!newest.has(touch.thread_id))
      newest.set(
        touch.thread_id,
        row(
          touch.thread_id,
          touch.subject || touch.snippet || 'No subject',
          [touch.from?.name ?? touch.from?.address, touch.snippet],
          `/inbox?open=${touch.thread_id}`,
        ),
      );
  return [...newest.values()].slice(0, limit);
}

export const find = bind(searchFind, async (context, { query, limit }) => {
  const kinds = await Promise.all(
    Object.entries(FINDERS).map(async ([kind, finder]) => {
      if (!couldAllow(context.caller.rights, finder.action)) return [];
      try {
        const rows = await finder.find(context, query, limit);
        return rows.map((one) => ({ kind: kind as Kind, ...one }));
      } catch (error) {
        if (error instanceof Refusal && error.code === 'policy_denied') return [];
        throw error;
      }
    }),
  );
  return { items: kinds.flat() };
});
