// `dunnock token revoke` and `dunnock user reset`: for operators, when no one can sign in to do it on screen.
// Both are written to the audit log, as the operator's.
import { createHash } from 'node:crypto';
import { nobody, type Caller } from '../kernel/caller.ts';
import { newId } from '../kernel/ids.ts';
import { drawSecret, hashOfSecret } from '../features/access/sessions/secret.ts';
import { replaceReset } from '../features/access/sessions/reset.store.ts';
import { endSessions } from '../features/access/sessions/store.ts';
import { lockAccountByEmail, removeTotp } from '../features/access/users/accounts.store.ts';
import { emailKey } from '../features/access/users/rules.ts';
import { deleteToken } from '../features/access/tokens/store.ts';
import type { Transaction } from '../kernel/database.ts';
import { forgetPasskeys, tokensCalled } from '../store/access.ts';
import { CannotStart } from '../store/cannot-start.ts';
import { writeAudit } from '../store/database.ts';
import { readSettings } from './environment.ts';
import { demandAnswer, onlyArgument, openDatabase, type Command, type Tools } from './tools.ts';

export const tokenRevoke: Command = {
  takes: '<name, id or value>',
  says: 'Deletes a token. Every process refuses it from its next request.',
  async run(tools, args) {
    const named = onlyArgument(args, 'token');
    const done = await inTransaction(tools, async (tx) => {
      const hash = createHash('sha256').update(named).digest();
      const found = await tokensCalled(tx, named, hash);
      const [first, ...others] = found;
      if (!first)
        throw new CannotStart('No token has that name or id: Settings > Access & Security > API lists them.');
      if (others.length > 0)
        throw new CannotStart(
          `${found.length} tokens have that name: revoke one by its id, ${found.map(({ id }) => id).join(' or ')}.`,
        );
      await deleteToken(tx, first.id);
      await record(tools, tx, 'token_revoke', `admin:token/${first.id}`);
      return first;
    });
    tools.say(`Token "${done.name}" deleted.`);
    return 0;
  },
};

export const userReset: Command = {
  takes: '<email>',
  says: 'Ends all of a user’s sessions, removes their second factor, and prints a link to set a new password.',
  async run(tools, args) {
    const email = onlyArgument(args, 'email address');
    const { base_url, host, port } = readSettings(tools.env);
    const secret = drawSecret();
    const until = await inTransaction(tools, async (tx) => {
      const account = await lockAccountByEmail(tx, emailKey(email));
      if (!account || account.state !== 'active')
        throw new CannotStart(
          'No active user has that email: an administrator can invite or enable users under Settings > Users.',
        );
      await removeTotp(tx, account.id);
      await forgetPasskeys(tx, account.id);
      await endSessions(tx, account.id);
      await record(tools, tx, 'user_reset', `account:${account.id}`);
      return replaceReset(tx, account.id, hashOfSecret(secret), tools.clock.now());
    });
    tools.say(`Set a new password at ${base_url ?? `http://${host}:${port}`}/reset/${secret}`);
    tools.say(
      `The link works once, until ${until.toISOString()}. Their second factor was removed, and all of their sessions have ended.`,
    );
    return 0;
  },
};

async function inTransaction<T>(tools: Tools, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const connection = await openDatabase(tools, 'beside_the_product');
  await demandAnswer(connection);
  return (await connection.begin(work)) as T;
}

const OPERATOR: Caller = {
  ...nobody('setup'),
  principal: { kind: 'system', id: '00000000-0000-0000-0000-000000000000', name: 'operator' },
};

function record(tools: Tools, tx: Transaction, act: string, resource: string): Promise<void> {
  const at = tools.clock.now();
  const row = { outcome: 'done', code: null, sentence: null, request_id: newId() } as const;
  return writeAudit(tx, { at, caller: OPERATOR, act, resource, ...row });
}
