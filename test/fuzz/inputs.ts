// The ways by which text from outside comes in, each as one act that sends one made-up input and waits for its answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { features } from '../../src/features.ts';
import { pathKeys, type AnyOperation } from '../../src/kernel/operation.ts';
import { workbook } from '../imports/workbook.ts';
import type { Chance } from './chance.ts';
import type { Desk, Reply } from './desk.ts';
import { anyMail } from './mails.ts';
import { hostileText, mutated } from './texts.ts';
import { almost, anyMessage, anyValue } from './values.ts';

export type Input = (desk: Desk, chance: Chance) => Promise<unknown>;

const IMPORT = '/api/admin/crm/people/import';
/** Mail that waits to be read; more is sent when it was. */
const MOST_WAITING = 40;

/** These end the account, or what everything else is tried with. */
const LEFT_OUT =
  /^(auth_|me_password|me_update|session|user_disable|user_update|token_delete|me_totp|me_passkey|people_import$)/;

const operations: AnyOperation[] = features
  .flatMap((feature) => feature.operations.map(({ operation }) => operation))
  .filter((operation) => !('stream' in operation.answers) && !LEFT_OUT.test(operation.name));
const tools = features.flatMap((feature) => (feature.tools ?? []).map(({ name }) => name));

const rest: Input = (desk, chance) => {
  const operation = chance.pick(operations);
  const example = operation.example as Record<string, unknown>;
  const keys = pathKeys(operation.path);
  const path = keys.reduce((path, key) => {
    const said = desk.ids.get(key) ?? example[key];
    const value = typeof said !== 'string' || chance.once(8) ? hostileText(chance, 60) : said;
    return path.replace(`:${key}`, encodeURIComponent(value.toWellFormed()));
  }, operation.path as string);
  const others = Object.fromEntries(Object.entries(example).filter(([key]) => !keys.includes(key)));
  const given = almost(chance, others);
  if (operation.method !== 'GET') return desk.asAdmin(operation.method, path, given);
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(given ?? {}).slice(0, 40))
    query.append(
      key,
      (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 400).toWellFormed(),
    );
  return desk.asAdmin('GET', `${path}?${query}`);
};

const message: Input = (desk, chance) => {
  const text = JSON.stringify(anyMessage(chance, tools)) ?? 'null';
  return desk.send('POST', '/mcp', chance.once(5) ? mutated(chance, Buffer.from(text)) : text, {
    authorization: `Bearer ${desk.token}`,
    'content-type': 'application/json',
  });
};

const mail: Input = async (desk, chance): Promise<void> => {
  const [row] = await desk.sql<{ count: number }[]>`
    select count(*)::int as count from inbound_mails where state = 'new'`;
  if ((row?.count ?? 0) >= MOST_WAITING) return sleep(200);
  const bytes = anyMail(chance);
  const [id, now] = [crypto.randomUUID(), new Date()];
  await desk.sql`insert into inbound_mails ${desk.sql({
    id,
    key: `fuzz:${id}`,
    source: 'imap',
    folder_role: chance.pick(['inbox', 'inbox', 'junk', 'sent']),
    delivered_to: [],
    bytes,
    size_bytes: bytes.byteLength,
    received_at: now,
    due_at: now,
  })}`;
};

const form: Input = (desk, chance) => {
  const fields = [
    ['email', chance.once(4) ? hostileText(chance, 200) : `f${chance.int(200)}@acme.example`],
    ['name', hostileText(chance, 200)],
    ['message', hostileText(chance, chance.once(5) ? 200_000 : 5_000)],
    [hostileText(chance, 40), hostileText(chance, 3_000)],
  ].map(([key = '', value = '']): [string, string] => [key.toWellFormed(), value.toWellFormed()]);
  const kind = chance.int(3);
  if (kind === 0)
    return desk.send('POST', desk.form_path, String(new URLSearchParams(fields)), {
      'content-type': 'application/x-www-form-urlencoded',
    });
  if (kind === 1) {
    const text = JSON.stringify(chance.once(2) ? Object.fromEntries(fields) : anyValue(chance)) ?? '0';
    return desk.send('POST', desk.form_path, text, { 'content-type': 'application/json' });
  }
  const parts = fields.map(
    ([key, value]) => `--b\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  return desk.send('POST', desk.form_path, mutated(chance, Buffer.from(`${parts.join('')}--b--\r\n`)), {
    'content-type': 'multipart/form-data; boundary=b',
  });
};

const template: Input = async (desk, chance): Promise<Reply> => {
  const text = hostileText(chance, 20_000);
  const campaign = desk.ids.get('campaign');
  if (chance.once(2))
    return desk.asAdmin('POST', '/api/admin/outreach/templates', {
      name: `T ${chance.int(2 ** 31)}`,
      subject: hostileText(chance, 150),
      text,
      ...(chance.once(2) && { html: hostileText(chance, 20_000) }),
    });
  const at = `/api/admin/outreach/campaigns/${campaign}/sequence`;
  const { sequence } = JSON.parse((await desk.asAdmin('GET', at)).body || '{}') as {
    sequence?: { revision: number };
  };
  const steps = [{ kind: 'letter', subject: hostileText(chance, 150), text }];
  await desk.asAdmin('PUT', at, { revision: sequence?.revision ?? 0, steps });
  return desk.asAdmin(
    'GET',
    `/api/admin/outreach/campaigns/${campaign}/preview?person=${desk.ids.get('person')}`,
  );
};

const workflow: Input = (desk, chance) =>
  desk.asAdmin('POST', '/api/workflows', {
    name: `W ${chance.int(2 ** 31)}`,
    trigger: { kind: 'manual' },
    steps: [
      {
        id: 'a',
        kind: 'create_work_item',
        name: 'A',
        input: {
          project: 'OUT',
          title: hostileText(chance, 300),
          description: `{{${hostileText(chance, 20_000)}`,
        },
      },
    ],
  });

const table: Input = (desk, chance) => {
  const rows = Array.from({ length: chance.pick([1, 20, 400]) }, () =>
    Array.from({ length: 3 }, () => hostileText(chance, chance.once(30) ? 60_000 : 60)),
  );
  const headings = ['Email', 'Name', hostileText(chance, 60)];
  const sheet = chance.once(3);
  const bytes = sheet
    ? workbook([headings, ...rows])
    : Buffer.from([headings, ...rows].map((row) => row.join(chance.pick([',', ';', '\t']))).join('\n'));
  const file_base64 = (chance.once(2) ? mutated(chance, bytes) : bytes)
    .subarray(0, 700_000)
    .toString('base64');
  return desk.asAdmin('POST', IMPORT, { file_base64, filename: sheet ? 'a.xlsx' : 'a.csv' });
};

const SCRIPTS = [
  'while true do end',
  'return string.rep("x", 1e9)',
  'local t={} for i=1,1e9 do t[i]=i end',
  'return ("a"):rep(1e6):find((".-"):rep(20).."b")',
  "return dunnock.call('person_list', {limit=1})",
  'return {__proto__={}, [1]=2, a={}}',
  'return setmetatable({}, {__index=function() error("x") end})',
  "for i=1,100 do dunnock.try('search', {query='a'}) end",
  'return coroutine.wrap(function() while true do coroutine.yield(1) end end)()',
  'error({})',
  'return "\\0\\255"',
];

const script: Input = (desk, chance) => {
  const text = chance.pick(SCRIPTS);
  return desk.asAdmin('POST', '/api/admin/scripts/run', {
    script: chance.once(2) ? text : text + hostileText(chance, 2_000),
  });
};

const hook: Input = (desk, chance) =>
  desk.send(
    'POST',
    `/hooks/vendor/${chance.pick(['resend', 'x', '__proto__'])}`,
    mutated(chance, Buffer.from(JSON.stringify(anyValue(chance) ?? 0))),
    {
      'content-type': chance.pick(['application/json', 'text/plain']),
      'svix-id': hostileText(chance, 30).replace(/[^\x21-\x7e]/g, ''),
    },
  );

/** By name; one worker each, so that none waits for another. */
export const inputs: Record<string, Input> = {
  rest,
  message,
  mail,
  form,
  template,
  workflow,
  table,
  script,
  hook,
};
