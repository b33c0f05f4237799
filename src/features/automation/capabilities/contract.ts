// Capabilities: other parties’ tool servers that agents may use. What a server says about its tools is shown as its
// own words, and takes effect only as a person approved it.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { LONGEST_DEADLINE_SECONDS, MOST_DAILY_CALLS } from './limits.rules.ts';
import { LASTING } from './trouble.rules.ts';

export const TOOL_STATES = ['new', 'on', 'off', 'changed'] as const;

/** What a server says that its tool does to the world (four hints of the protocol); null: it does not say. */
const hints = z.object({
  reads_only: z.boolean().nullable(),
  destroys: z.boolean().nullable(),
  repeatable: z.boolean().nullable(),
  reaches_out: z.boolean().nullable(),
});
export type Hints = z.infer<typeof hints>;

const described = z.object({ says: z.string(), schema: z.unknown(), hints });

const capabilityTool = z.object({
  /** As its server calls it. */
  name: z.string(),
  /** As agents call it: `<capability>__<name>`; in an agent's list of tools it is by this name. */
  called: z.string(),
  /** The server's own words. */
  says: z.string(),
  schema: z.unknown(),
  hints,
  /** Of name, words, schema and hints together: what a consent is given to. */
  hash: z.string(),
  state: z.enum(TOOL_STATES),
  /** What someone agreed to, and who and when; null: no one has. */
  agreed: described.extend({ by: z.string(), at: time }).nullable(),
});
export type CapabilityTool = z.infer<typeof capabilityTool>;

export const capability = z.object({
  id,
  name: z.string(),
  title: z.string(),
  url: z.string(),
  auth: z.enum(['none', 'oauth']),
  client_id: z.string().nullable(),
  on: z.boolean(),
  /** Since when a person vouches for this address; null: nothing is asked of it. */
  approved_at: time.nullable(),
  refreshed_at: time.nullable(),
  /** Why it did not answer when it was last asked, and since when; null: it answered. */
  trouble: z.object({ why: z.enum(LASTING), since: time }).nullable(),
  /** The caller's own sign-in there. */
  connection: z.enum(['not_needed', 'none', 'connected', 'lost']),
  connected_at: time.nullable(),
  /** How many people are signed in there, the caller among them. */
  signed_in: z.int(),
  /** How often agents may call it in a day of UTC, and how often they have today. */
  daily_calls: z.int(),
  calls_today: z.int(),
  /** How long one call is waited for. */
  deadline_seconds: z.int(),
  tools: z.array(capabilityTool),
  revision: z.int(),
  created_by: principal,
  created_at: time,
});
export type Capability = z.infer<typeof capability>;
named('Capability', capability);

export const capabilityName = (name: string): string => `admin:capability/${name}`;
const ALL = capabilityName('*');
export const one = '0198c0de-0000-7000-8000-000000000161';

const url = z.string().min(1).max(2_000);
const client = {
  client_id: text(500).nullable().optional(),
  client_secret: text(2_000).nullable().optional(),
};

export const capabilityList = operation({
  name: 'capability_list',
  says: 'Lists third-party tool servers, with each server’s tools and which of them a person approved.',
  method: 'GET',
  path: '/api/admin/capabilities',
  takes: z.strictObject(page),
  gives: listOf(capability),
  example: { limit: 20 },
  effect: 'read',
  needs: { action: 'admin.capability.read', on: () => [ALL] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const capabilityCreate = operation({
  name: 'capability_create',
  says: 'Adds a tool server by its address. Its tools can be called only after a person approves them.',
  method: 'POST',
  path: '/api/admin/capabilities',
  takes: z.strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,19}$/, 'name is up to 20 small letters, digits and hyphens'),
    title: text(100).optional(),
    url,
    auth: z.enum(['none', 'oauth']),
    ...client,
  }),
  gives: capability,
  example: { name: 'calendar', url: 'https://mcp.calendar.example/mcp', auth: 'oauth' },
  effect: 'write',
  needs: { action: 'admin.capability.create', on: ({ name }) => [capabilityName(name)] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: CREATED,
});

const row = { capability: id };

export const capabilityUpdate = operation({
  name: 'capability_update',
  says: 'Changes a tool server: its address, its daily call limit, its timeout. A new address clears every sign-in and every approval.',
  method: 'PATCH',
  path: '/api/admin/capabilities/:capability',
  takes: z.strictObject({
    ...row,
    revision,
    title: text(100).optional(),
    url: url.optional(),
    on: z.boolean().optional(),
    daily_calls: z.int().min(0).max(MOST_DAILY_CALLS).optional(),
    deadline_seconds: z.int().min(1).max(LONGEST_DEADLINE_SECONDS).optional(),
    ...client,
  }),
  gives: capability,
  example: { capability: one, revision: 1, on: false },
  effect: 'write',
  needs: { action: 'admin.capability.write', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const capabilityDelete = operation({
  name: 'capability_delete',
  says: 'Removes a tool server and every sign-in to it.',
  method: 'DELETE',
  path: '/api/admin/capabilities/:capability',
  takes: z.strictObject(row),
  gives: done,
  example: { capability: one },
  effect: 'destroy',
  needs: { action: 'admin.capability.delete', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const capabilityRefresh = operation({
  name: 'capability_refresh',
  says: 'Refreshes the server’s tools. A tool whose description differs from the approved one is turned off.',
  method: 'POST',
  path: '/api/admin/capabilities/:capability/refresh',
  takes: z.strictObject(row),
  gives: capability,
  example: { capability: one },
  effect: 'write',
  needs: { action: 'admin.capability.refresh', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const capabilityConsent = operation({
  name: 'capability_consent',
  says: 'Approves exactly these tools, each with the description that was shown. All others are turned off.',
  method: 'POST',
  path: '/api/admin/capabilities/:capability/consent',
  takes: z.strictObject({
    ...row,
    tools: z.array(z.strictObject({ name: z.string().min(1).max(200), hash: z.string().max(100) })).max(200),
  }),
  gives: capability,
  example: { capability: one, tools: [{ name: 'create_event', hash: 'as it was shown' }] },
  effect: 'write',
  needs: { action: 'admin.capability.consent', on: 'row' },
  who: {
    people_only:
      'before agents can call this tool, a person must review its description, on screen or with a token of their own',
  },
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
