// The eleven digests of a laid app: each is asked through the endpoint, as an agent asks it, and the queries that it really
// sends are explained.
import { invoke } from '../../src/kernel/invoke.ts';
import type { LongReads, Reader } from '../../src/kernel/database.ts';
import type { TestApp, TokenClient } from '../support/app.ts';
import { ADMIN, nodesOf, type Plans } from '../support/plans.ts';
import { seededId, WORST } from './seed.ts';

export type Asked = { name: string; args: Record<string, unknown> };

export async function asked({ sql }: TestApp): Promise<Asked[]> {
  const campaign = await seededId(sql, 'campaign', WORST);
  return [
    { name: 'instance_digest', args: {} },
    { name: 'campaign_digest', args: { campaign } },
    { name: 'sequence_digest', args: { campaign } },
    { name: 'held_digest', args: {} },
    { name: 'held_digest', args: { campaign, reason: 'suppressed' } },
    { name: 'sending_digest', args: {} },
    { name: 'replies_digest', args: {} },
    { name: 'replies_digest', args: { campaign, reading: 'positive' } },
    { name: 'thread_digest', args: { thread_id: await seededId(sql, 'thread', 8) } },
    { name: 'person_digest', args: { address: 'p2@firm0.example' } },
    { name: 'deals_digest', args: {} },
    { name: 'work_digest', args: { project: 'OUT' } },
    { name: 'activity_digest', args: {} },
  ];
}

export type Told = Asked & { chars: number; ms: number };

/** Asks each so many times; the quickest answer counts, since others share the machine. Throws where one is no whole JSON. */
export async function tell(agent: TokenClient, digests: readonly Asked[], times: number): Promise<Told[]> {
  const told: Told[] = [];
  for (const { name, args } of digests) {
    let [ms, chars] = [Infinity, 0];
    for (let time = 0; time < times; time += 1) {
      const began = performance.now();
      const { isError, text } = await agent.tool(name, args);
      ms = Math.min(ms, performance.now() - began);
      if (isError) throw new Error(`${name}: ${text}`);
      JSON.parse(text);
      chars = Math.max(chars, text.length);
    }
    told.push({ name, args, chars, ms });
  }
  return told;
}

/** Tables of which an instance has as many rows as it has people, or more. */
const LARGE = [
  'people',
  'person_addresses',
  'person_facts',
  'prospects',
  'sends',
  'threads',
  'touches',
  'send_outcomes',
  'audit',
];

/** Every query of a digest that goes through a large table from end to end. */
export async function scansOf(app: TestApp, plans: Plans, digests: readonly Asked[]): Promise<string[]> {
  const own = app.instance.app;
  const reader = plans.sql as unknown as Reader;
  const long: LongReads = { ...own.database.long, run: (_who, work) => work(reader) };
  const watched = { ...own, database: { ...own.database, reader, long } };
  const scans: string[] = [];
  for (const { name, args } of digests) {
    const operation = own.operations.find((each) => each.name === name);
    if (!operation) throw new Error(`no operation ${name}`);
    for (const { query, plan } of await plans.ofRead(() => invoke(watched, operation, ADMIN, () => args)))
      for (const node of nodesOf(plan))
        if (node['Node Type'] === 'Seq Scan' && LARGE.includes(node['Relation Name'] ?? ''))
          scans.push(`${name}: ${node['Relation Name']} in ${query}`);
  }
  return scans;
}
