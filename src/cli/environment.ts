// The settings of the product, read from an environment that main hands in. What cannot be used is refused in one sentence
// that names the setting; nothing is guessed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutEnd } from '../kernel/edges.ts';
import type { InstanceOptions, Role } from '../instance.ts';
import { readLimits } from '../kernel/limits.ts';
import { isAddress } from '../net/address.ts';
import { readAllowedHosts, readEventsSwitch, readProxies } from '../net/switches.ts';
import { readAuthorities } from '../net/trust.ts';
import { CannotStart } from '../store/cannot-start.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What every command needs. */
export type Place = {
  root: string;
  data_dir: string;
  /** SERVICE_INSTANCE */
  name: string;
  /** DATABASE_URL; null: the product's own server in the data folder. */
  url: string | null;
  migrations: string;
  /** SERVICE_MASTER_KEY; undefined: the file in the data folder. */
  master_key: string | undefined;
  master_key_file: string;
};

/** What only a running instance needs. */
export type Settings = Pick<
  InstanceOptions,
  'base_url' | 'host' | 'port' | 'origins' | 'is_proxy' | 'provisioning_key' | 'sending' | 'limits'
> &
  Pick<InstanceOptions['outside'], 'dns' | 'events' | 'hosts' | 'mail_ca'>;

export const isRole = (text: string): text is Role => ['web', 'worker', 'both'].includes(text);

export function readPlace(env: Environment, root: string): Place {
  const data_dir = said(env, 'SERVICE_DATA_DIR') ?? join(root, 'data');
  return {
    root,
    data_dir,
    name: instanceName(env),
    url: databaseUrl(env),
    migrations: join(root, 'migrations'),
    master_key: said(env, 'SERVICE_MASTER_KEY'),
    master_key_file: join(data_dir, 'master.key'),
  };
}

export function readSettings(env: Environment): Settings {
  return {
    base_url: addressText(env, 'SERVICE_BASE_URL'),
    host: env['HOST'] ?? '127.0.0.1',
    port: portNumber(env),
    origins: origins(env),
    is_proxy: inWords(() => readProxies(env['SERVICE_TRUSTED_PROXIES'] ?? ''), 'SERVICE_TRUSTED_PROXIES: '),
    provisioning_key: provisioningKey(env),
    sending: sending(env),
    limits: inWords(() => readLimits(env['SERVICE_RATE_LIMITS'] ?? '')),
    dns: nameServers(env),
    mail_ca: authorities(env),
    events: readEventsSwitch(env['SERVICE_EVENTS_ALLOW_PRIVATE']),
    hosts: {
      allowedHosts: inWords(
        () => readAllowedHosts(env['SERVICE_ALLOW_PRIVATE_HOSTS'] ?? ''),
        'SERVICE_ALLOW_PRIVATE_HOSTS: ',
      ),
    },
  };
}

function said(env: Environment, name: string): string | undefined {
  const text = env[name];
  return text === '' ? undefined : text;
}

function refuse(sentence: string): never {
  throw new CannotStart(sentence);
}

function inWords<T>(read: () => T, before = ''): T {
  try {
    return read();
  } catch (error) {
    return refuse(`${before}${(error as Error).message}.`);
  }
}

function instanceName(env: Environment): string {
  const name = env['SERVICE_INSTANCE'] ?? 'main';
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(name)
    ? name
    : refuse('SERVICE_INSTANCE must be up to 63 lowercase letters, digits and hyphens.');
}

function databaseUrl(env: Environment): string | null {
  const url = said(env, 'DATABASE_URL');
  if (url === undefined) return null;
  return /^postgres(ql)?:/.test(url) && URL.canParse(url)
    ? url
    : refuse('DATABASE_URL must be an address such as postgres://user:password@host:5432/database.');
}

/** The name servers that mail asks; without any, those of the machine. */
function nameServers(env: Environment): { servers?: string[] } {
  const servers = (env['SERVICE_DNS_SERVERS'] ?? '').split(/[\s,]+/).filter(Boolean);
  for (const server of servers) {
    const [, inBrackets, port] = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(server) ?? [];
    const [, plain, plainPort] = /^([^:]+):(\d{1,5})$/.exec(server) ?? [];
    const at = Number(port ?? plainPort ?? 53);
    if (!isAddress(inBrackets ?? plain ?? server) || at < 1 || at > 65_535)
      refuse(
        'SERVICE_DNS_SERVERS must be IP addresses separated by commas, with a port if it isn’t 53, such as 192.0.2.53 or 127.0.0.1:5353.',
      );
  }
  return servers.length === 0 ? {} : { servers };
}

/** A file that can't be read would be found out only when a mail server is refused. */
function authorities(env: Environment): string[] {
  const file = said(env, 'SERVICE_MAIL_CA_FILE');
  if (file === undefined) return [];
  let text: string;
  try {
    text = readFileSync(file, 'latin1');
  } catch {
    return refuse(`SERVICE_MAIL_CA_FILE: ${file} can’t be read.`);
  }
  return inWords(() => readAuthorities(text), 'SERVICE_MAIL_CA_FILE: ');
}

function portNumber(env: Environment): number {
  const port = Number(env['PORT'] ?? 4400);
  return Number.isInteger(port) && port >= 0 && port < 65_536
    ? port
    : refuse('PORT must be a whole number from 0 to 65535.');
}

function addressText(env: Environment, name: string): string | null {
  const text = said(env, name);
  if (text === undefined) return null;
  return URL.canParse(text) && /^https?:/.test(text)
    ? withoutEnd(text, '/')
    : refuse(`${name} must be an http or https address.`);
}

/** Further origins whose pages may call. */
function origins(env: Environment): string[] {
  const texts = (env['SERVICE_ORIGINS'] ?? '').split(',').map((each) => each.trim());
  return texts
    .filter(Boolean)
    .map((text) =>
      URL.canParse(text) && /^https?:/.test(text)
        ? new URL(text).origin
        : refuse(
            'SERVICE_ORIGINS must be http or https addresses separated by commas, such as https://desk.example.com.',
          ),
    );
}

/** A key that can be guessed, or that a form trims, would be refused or found only where someone tries it. */
function provisioningKey(env: Environment): string | null {
  const key = said(env, 'SERVICE_PROVISIONING_KEY');
  if (key === undefined) return null;
  return key.length >= 16 && key.length <= 200 && key === key.trim()
    ? key
    : refuse('SERVICE_PROVISIONING_KEY must be 16 to 200 characters, without spaces at either end.');
}

/** A switch that is misspelled would let letters out that someone meant to keep. */
function sending(env: Environment): { enabled: boolean; development: boolean } {
  const { SERVICE_SENDING: letters = 'on', SERVICE_DEVELOPMENT: development = '0' } = env;
  if (!['on', 'off', ''].includes(letters)) refuse('SERVICE_SENDING must be on or off.');
  if (!['1', '0', ''].includes(development)) refuse('SERVICE_DEVELOPMENT must be 1 or 0.');
  return { enabled: letters !== 'off', development: development === '1' };
}
