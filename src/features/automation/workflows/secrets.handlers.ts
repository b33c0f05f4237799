// Handlers of the secrets that http steps name, and of the hosts such steps may reach.
import { domainToASCII } from 'node:url';
import { withoutEnd } from '../../../kernel/edges.ts';
import { invalid, notFound } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
import { Secret } from '../../../kernel/secret.ts';
import { workflowHosts, workflowHostsSet } from './contract.ts';
import { workflowSecretDelete, workflowSecrets, workflowSecretSet } from './secrets.contract.ts';
import { placeNamed } from './secrets/secrets.rules.ts';
import { deleteSecret, saveSecret, secretRows } from './secrets/secrets.store.ts';
import { listedHosts, replaceHosts } from './store.ts';

const WORKFLOWS = 'workflows';

const hosts = bind(workflowHosts, async ({ db }) => ({ hosts: await listedHosts(db) }));

const setHosts = bind(workflowHostsSet, async ({ db, caller, now, tell }, given) => {
  const listed = [...new Set(given.hosts.map(hostOf))].toSorted();
  await replaceHosts(db, listed, caller.principal, now);
  tell('settings', WORKFLOWS);
  return { hosts: await listedHosts(db) };
});

/** An address that http steps may reach, as it is compared: host[:port][/path]. Null where it is none. */
function listedAddress(given: string): string | null {
  const [, host = '', port = '', path = ''] =
    /^([^/:\s]+)(:[0-9]{1,5})?(\/[^\s?#%\\]*)?$/.exec(given.trim()) ?? [];
  const plain = domainToASCII(host.toLowerCase());
  const text = `http://${plain}${port}${path}`;
  if (plain === '' || !/^[a-z0-9._-]+$/.test(plain) || !URL.canParse(text)) return null;
  const { hostname, pathname } = new URL(text);
  if (hostname !== plain || (path !== '' && pathname !== path)) return null;
  return `${plain}${port}${withoutEnd(path, '/')}`;
}

function hostOf(given: string, i: number): string {
  const address = listedAddress(given);
  if (address !== null) return address;
  const says = `hosts.${i}: give a host such as hooks.example.com, optionally with a port and a path, such as hooks.example.com:8443/in`;
  throw invalid(says, { [`hosts.${i}`]: says });
}

const list = bind(workflowSecrets, async ({ db }) => ({ secrets: await secretRows(db) }));

const set = bind(workflowSecretSet, async ({ db, app, caller, now, tell, about }, given) => {
  const { name, secret } = given;
  const host = listedAddress(given.host);
  if (host === null || host.includes('/')) {
    const says = 'host: give only the host, such as hooks.example.com, with its port if it isn’t 443';
    throw invalid(says, { host: says });
  }
  await saveSecret(
    db,
    app.sealer,
    { name, host: placeNamed(host), value: new Secret(secret) },
    caller.principal,
    now,
  );
  about('admin:setting/workflows');
  tell('settings', WORKFLOWS);
  return { secrets: await secretRows(db) };
});

const remove = bind(workflowSecretDelete, async ({ db, tell }, { name }) => {
  if (!(await deleteSecret(db, name)))
    throw notFound('secret', 'GET /api/admin/workflows/secrets lists secrets', 'name');
  tell('settings', WORKFLOWS);
  return { ok: true } as const;
});

export const secretHandlers = [hosts, setHosts, list, set, remove];
