// What the demo has nothing of, made by the same requests as the screens make: so that no screen is looked at empty alone.
import type { Client } from './instances.ts';

const CSV = `Email,Name,Company,Country
ilse@harbour-works.example,Ilse Marten,Harbour Works,NL
tom@harbour-works.example,Tom Reid,Harbour Works,NL
not an address,Nobody,Harbour Works,NL
`;

const MADE: [string, unknown][] = [
  ['/api/admin/groups', { name: 'Reviewers', policies: ['member'] }],
  ['/api/admin/tokens', { name: 'scout', mode: 'user', scopes: { wire: true } }],
  ['/api/admin/tokens', { name: 'librarian', mode: 'user' }],
  ['/api/snippets', { name: 'Price list', text: 'Here is what a metre of each line costs.' }],
  [
    '/api/admin/agents',
    { name: 'Librarian', instructions: 'Answer from the records alone.', tools: ['people_search'] },
  ],
  ['/api/admin/forms', { name: 'Offers' }],
  [
    '/api/admin/outreach/templates',
    { name: 'First hello', subject: 'Hello', text: 'Hello {{ person.given }}' },
  ],
  ['/api/admin/capabilities', { name: 'calendar', url: 'https://mcp.calendar.example/mcp', auth: 'oauth' }],
  ['/api/admin/crm/people/import', { file: CSV, filename: 'fair.csv', dry_run: true }],
  ['/api/admin/crm/people/import', { file: CSV, filename: 'fair.csv', dry_run: false }],
];

const WORKFLOW = {
  name: 'A card for every answer',
  trigger: { kind: 'manual' },
  steps: [
    {
      id: 'card',
      kind: 'create_work_item',
      name: 'A card for the answer',
      input: { project: 'ROPE', title: 'Look at the answers of the day' },
      next: 'wait',
    },
    { id: 'wait', kind: 'wait', name: 'A day later', input: { minutes: 1_440 } },
  ],
};

/** What was refused is said and left out: one screen is emptier then, and the others are looked at. */
export async function fillMore(admin: Client): Promise<void> {
  const make = async <T>(path: string, body: unknown): Promise<T | null> => {
    try {
      return await admin.rest<T>('POST', path, body);
    } catch (error) {
      console.warn((error as Error).message);
      return null;
    }
  };
  for (const [path, body] of MADE) await make(path, body);
  const saved = await make<{ workflow: { id: string; revision: number } }>('/api/workflows', WORKFLOW);
  if (!saved) return;
  const { id, revision } = saved.workflow;
  await make(`/api/workflows/${id}/activate`, { revision });
  await make(`/api/workflows/${id}/runs`, { inputs: {} });
}
