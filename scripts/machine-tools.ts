// Owns the few programs that tests drive and npm does not carry: each is installed from the distribution where
// we may, and asked for in one sentence where we may not.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Step } from './steps.ts';

type Tool = { path: string; debianPackage: string; for: string };

const TOOLS: Tool[] = [
  {
    path: '/usr/bin/chromium-headless-shell',
    debianPackage: 'chromium-headless-shell',
    for: 'the browser tests',
  },
  { path: '/usr/bin/openssl', debianPackage: 'openssl', for: 'signatures of events, checked by others' },
  { path: '/usr/bin/python3', debianPackage: 'python3', for: 'signatures of events, checked by others' },
  { path: '/usr/sbin/dovecot', debianPackage: 'dovecot-core', for: 'mailboxes on a real IMAP server' },
  { path: '/usr/lib/dovecot/imap', debianPackage: 'dovecot-imapd', for: 'mailboxes on a real IMAP server' },
];
const TOOLS_OF_LONG_RUNS: Tool[] = [
  {
    path: '/usr/lib/postgresql/15/bin/postgres',
    debianPackage: 'postgresql-15',
    for: 'the round on PostgreSQL 15',
  },
  ...[
    ['/usr/sbin/postfix', 'postfix'],
    ['/usr/lib/dovecot/lmtp', 'dovecot-lmtpd'],
    ['/usr/sbin/postgrey', 'postgrey'],
    ['/usr/lib/python3/dist-packages/dkim', 'python3-dkim'],
    ['/usr/share/perl5/Mail/DKIM/Verifier.pm', 'libmail-dkim-perl'],
  ].map(([path = '', debianPackage = '']) => ({ path, debianPackage, for: 'tests with real mail servers' })),
];

/** What is installed for tests is started by them: while this says no, packages start no servers of their own. */
const POLICY = '/usr/sbin/policy-rc.d';

function withoutServers<T>(work: () => T): T {
  if (existsSync(POLICY)) return work();
  writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return work();
  } finally {
    rmSync(POLICY, { force: true });
  }
}

function install({ debianPackage }: Tool): boolean {
  if (userInfo().uid !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${debianPackage} (once).`);
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
  apt('update');
  const done = withoutServers(() => apt('install', '-y', '--no-install-recommends', debianPackage));
  if (done.status !== 0) console.log(`${done.stdout}${done.stderr}`.trimEnd());
  return done.status === 0;
}

/** Every tool that is still missing becomes a step that fails with its sentence. */
export function missingTools(long: boolean): Step[] {
  return [...TOOLS, ...(long ? TOOLS_OF_LONG_RUNS : [])]
    .filter((tool) => !existsSync(tool.path))
    .filter((tool) => !install(tool) || !existsSync(tool.path))
    .map(({ path, debianPackage, for: purpose }) => ({
      name: `${path} is here`,
      command: [
        '/bin/sh',
        '-c',
        'echo "$1" >&2; exit 1',
        'sh',
        `For ${purpose}, ask an administrator to install the package ${debianPackage}.`,
      ],
    }));
}
