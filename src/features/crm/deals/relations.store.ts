// The records a deal may refer to. Each is locked until the act is over.
import type { Transaction } from '../../../kernel/database.ts';

export type DealRelations = {
  person_id?: string | null | undefined;
  company_id?: string | null | undefined;
  campaign_id?: string | null | undefined;
  owner?: string | null | undefined;
  stage?: string | undefined;
};

const SAYS: Record<keyof DealRelations, string> = {
  person_id: 'person_id: no person has that id',
  company_id: 'company_id: no company has that id',
  campaign_id: 'campaign_id: no campaign has that id',
  owner: 'owner: no active user has that id',
  stage: 'stage: no stage has that key; GET /api/admin/crm/pipeline lists stages',
};

/** Every name that leads nowhere, by argument. */
export async function strangers(tx: Transaction, named: DealRelations): Promise<Record<string, string>> {
  const { person_id, company_id, campaign_id, owner, stage } = named;
  const faults: Record<string, string> = {};
  const check = async (
    field: keyof DealRelations,
    value: unknown,
    find: () => PromiseLike<readonly unknown[]>,
  ): Promise<void> => {
    if (value !== undefined && value !== null && (await find()).length === 0) faults[field] = SAYS[field];
  };
  await check(
    'person_id',
    person_id,
    () => tx`select 1 from people where id = ${person_id ?? null} for key share`,
  );
  await check(
    'company_id',
    company_id,
    () => tx`select 1 from companies where id = ${company_id ?? null} for key share`,
  );
  await check(
    'campaign_id',
    campaign_id,
    () => tx`select 1 from campaigns where id = ${campaign_id ?? null} for key share`,
  );
  await check(
    'owner',
    owner,
    () => tx`select 1 from users where id = ${owner ?? null} and state = 'active' for key share`,
  );
  await check('stage', stage, () => tx`select 1 from deal_stages where key = ${stage ?? null} for key share`);
  return faults;
}
