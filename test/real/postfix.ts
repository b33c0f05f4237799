// A real Postfix on loopback, with settings, a queue and a log of its own; started and stopped by the test. The instance of the
// system, if there is one, is never spoken to.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POSTFIX = '/usr/sbin/postfix';

export type PostfixWishes = {
  hostname: string;
  /** Lines of main.cf, after ours. `folder` is where the tables exist. */
  main: (folder: string) => string;
  /** Ports it listens at on loopback, each with settings of its own. */
  listens: { port: number; settings: Record<string, string> }[];
  /** Of main.cf and of the ports: files of lines, by name. */
  tables?: Record<string, string>;
  /** The name server that it asks where to send; at port 53 of an address of loopback. */
  nameServer: string;
};

export type Postfix = AsyncDisposable & {
  folder: string;
  log(): Promise<string>;
  /** Every letter that it has not got rid of is tried now. */
  flush(): Promise<void>;
  /** Letters that it has not got rid of. */
  queued(): Promise<number>;
  /** Put again while it runs: the next connection reads them. */
  write(table: string, lines: string): Promise<void>;
};

/** What it does on its own; what delivers to the outside sees a world of our own, and so asks our name server. */
const SERVICES = `
cleanup unix n - n - 0 cleanup
qmgr unix n - n 5 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - y - - smtp
relay unix - - y - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;

export async function postfix({
  hostname,
  main,
  listens,
  tables = {},
  nameServer,
}: PostfixWishes): Promise<Postfix> {
  if (!existsSync(POSTFIX))
    throw new Error('For tests with real mail servers, ask an administrator to install the package postfix.');
  if (userInfo().uid !== 0)
    throw new Error('Tests with real mail servers run as root: Postfix starts under no other account.');
  const folder = await mkdtemp(join(tmpdir(), 'dunnock-postfix-'));
  const at = (...path: string[]) => join(folder, ...path);
  await chmod(folder, 0o755);
  for (const each of ['queue', 'queue/etc', 'data']) await mkdir(at(each));
  const { stdout: uid } = await run('/usr/bin/id', ['-u', 'postfix']);
  await chown(at('data'), Number(uid), 0);
  await writeFile(at('queue/etc/resolv.conf'), `nameserver ${nameServer}\noptions timeout:2 attempts:1\n`);
  await writeFile(at('queue/etc/hosts'), '127.0.0.1 localhost\n');
  await writeFile(at('queue/etc/services'), 'smtp 25/tcp\n');
  const write = (table: string, lines: string) => writeFile(at(table), lines);
  for (const [name, lines] of Object.entries(tables)) await write(name, lines);
  await writeFile(
    at('main.cf'),
    `
compatibility_level = 3.6
queue_directory = ${at('queue')}
data_directory = ${at('data')}
maillog_file = ${at('log')}
maillog_file_prefixes = ${folder}
myhostname = ${hostname}
mydestination =
mynetworks =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_peername_lookup = no
local_transport = error:5.1.1 nobody has a mailbox on this machine
alias_maps =
alias_database =
local_recipient_maps =
biff = no
append_dot_mydomain = no
smtp_tls_security_level = may
smtpd_timeout = 600s
queue_run_delay = 2s
minimal_backoff_time = 2s
maximal_backoff_time = 4s
smtpd_client_connection_count_limit = 0
default_process_limit = 40
smtp_connect_timeout = 5s
${main(folder)}
`,
  );
  const ports = listens.map(({ port, settings }) =>
    [
      `127.0.0.1:${port} inet n - n - - smtpd`,
      ...Object.entries(settings).map(([name, value]) => `  -o { ${name} = ${value} }`),
    ].join('\n'),
  );
  await writeFile(at('master.cf'), `${SERVICES}${ports.join('\n')}\n`);
  const abort = (): void => void spawnSync(POSTFIX, ['-c', folder, 'abort'], { stdio: 'ignore' });
  const log = () => readFile(at('log'), 'utf8').catch(() => '');
  try {
    await run(POSTFIX, ['-c', folder, 'start']);
  } catch (error) {
    throw new Error(`postfix did not start: ${await log()}`, { cause: error });
  }
  // A test run that ends at once leaves no mail server behind.
  process.once('exit', abort);
  return {
    folder,
    log,
    write,
    flush: async () => void (await run('/usr/sbin/postqueue', ['-c', folder, '-f'])),
    async queued() {
      const { stdout } = await run('/usr/sbin/postqueue', ['-c', folder, '-j']);
      return stdout.split('\n').filter(Boolean).length;
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', abort);
      abort();
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
