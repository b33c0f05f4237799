// Checks that the process refuses a setting it cannot use in one sentence that names it, and says which one is missing.
import { spawn } from 'node:child_process';
import { beforeAll, afterAll, expect, onTestFinished, test } from 'vitest';
import { MAIN } from '../support/built.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { temporaryFolder } from './holding.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

/** What the process prints until it ends, or until it prints `until`. */
function started(settings: Record<string, string>, until?: RegExp): Promise<string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    PORT: '0',
    SERVICE_DATA_DIR: temporaryFolder(),
    DATABASE_URL: database.url,
    SERVICE_MASTER_KEY: 'the key of the test of settings',
    ...settings,
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill());
  let printed = '';
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(printed.trim()));
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
      if (until?.test(printed)) resolve(printed.trim());
    });
  });
}

const ORIGINS =
  'SERVICE_ORIGINS must be http or https addresses separated by commas, such as https://desk.example.com.';
const DNS =
  'SERVICE_DNS_SERVERS must be IP addresses separated by commas, with a port if it isn’t 53, such as 192.0.2.53 or 127.0.0.1:5353.';
const KEY = 'SERVICE_PROVISIONING_KEY must be 16 to 200 characters, without spaces at either end.';

test.each([
  ['SERVICE_ORIGINS', 'https://desk.example.com, desk', ORIGINS],
  ['SERVICE_ORIGINS', 'ftp://desk.example.com', ORIGINS],
  [
    'SERVICE_TRUSTED_PROXIES',
    '10.44.0.0/24, proxy.internal',
    'SERVICE_TRUSTED_PROXIES: proxy.internal is not a network such as 10.0.0.0/8.',
  ],
  ['SERVICE_DNS_SERVERS', '192.0.2.53, resolver.example', DNS],
  ['SERVICE_DNS_SERVERS', '192.0.2.53:70000', DNS],
  ['SERVICE_MAIL_CA_FILE', '/nowhere/ca.pem', 'SERVICE_MAIL_CA_FILE: /nowhere/ca.pem can’t be read.'],
  [
    'SERVICE_MAIL_CA_FILE',
    import.meta.filename,
    'SERVICE_MAIL_CA_FILE: the file holds no certificate in PEM format.',
  ],
  ['SERVICE_PROVISIONING_KEY', 'fifteen-letters', KEY],
  ['SERVICE_PROVISIONING_KEY', 'k'.repeat(201), KEY],
  ['SERVICE_PROVISIONING_KEY', ' a key of sixteen letters and more', KEY],
])('%s=%s is refused at the start in one sentence that names it', async (name, value, sentence) => {
  expect(await started({ [name]: value })).toBe(sentence);
});

test('an instance that listens everywhere and was told no address is at 127.0.0.1, and says what to set', async () => {
  const printed = await started(
    { HOST: '0.0.0.0', SERVICE_PROVISIONING_KEY: 'k'.repeat(16) },
    /mcp|Set it up.*\n/,
  );
  expect(printed).toMatch(
    /^Dunnock is at http:\/\/127\.0\.0\.1:\d+\nIt listens on 0\.0\.0\.0, .*: set SERVICE_BASE_URL /,
  );
  expect(printed).not.toContain('//0.0.0.0');
});

test('an instance with an address of its own says nothing of where it listens', async () => {
  const settings = { HOST: '0.0.0.0', SERVICE_BASE_URL: 'https://desk.example.com' };
  const printed = await started(settings, /mcp|Set it up.*\n/);
  expect(printed).toMatch(/^Dunnock is at https:\/\/desk\.example\.com\nSet it up/);
});

test('a proxy in another container is believed where it is listed, and no one else is', async () => {
  const said = async (settings: Record<string, string>): Promise<number[]> => {
    const printed = await started({ SERVICE_RATE_LIMITS: 'wrong_tokens=1/m', ...settings }, /is at .*\n/);
    const url = /is at (http:\S+)/.exec(printed)?.[1] ?? '';
    const statuses: number[] = [];
    for (const chain of ['203.0.113.7, 10.44.0.1', '203.0.113.8, 10.44.0.1', '203.0.113.8, 10.44.0.1']) {
      const headers = { authorization: 'Bearer nck_wrong', 'x-forwarded-for': chain };
      statuses.push((await fetch(`${url}/api/me`, { headers })).status);
    }
    return statuses;
  };
  expect(await said({ SERVICE_TRUSTED_PROXIES: '10.44.0.0/24' })).toEqual([401, 401, 429]);
  expect(await said({})).toEqual([401, 429, 429]);
});
