// `dunnock verify audit`: reads the audit log again, and says whether it is as it was sealed. It needs no key and no running
// instance, so it works on a restored copy as well.
import { type Broken, verifySeals } from '../features/access/audit/seals.store.ts';
import { demandAnswer, noArguments, openDatabase, type Command } from './tools.ts';

const at = (moment: Date): string => `${moment.toISOString().slice(0, 16).replace('T', ' ')}Z`;

function saysOf({ seal, why, rows }: Broken): string {
  const span = `between ${at(seal.from_at)} and ${at(seal.until_at)} (seal ${seal.number})`;
  if (why === 'chain')
    return `Seal ${seal.number} doesn’t follow from the one before it: a seal was changed or removed.`;
  if (why === 'between')
    return `${rows} rows before ${at(seal.from_at)} are in no seal: they were added later.`;
  if (why === 'changed') return `A row ${span} was changed after it was sealed.`;
  return `${seal.rows} rows ${span} were sealed, and ${rows} are there: rows were ${why}.`;
}

export const verifyAudit: Command = {
  takes: '',
  says: 'Checks that no sealed row of the audit log was changed, added or removed.',
  async run(tools, args) {
    noArguments(args);
    const connection = await openDatabase(tools, 'beside_the_product');
    await demandAnswer(connection);
    const { seals, rows, head, broken } = await verifySeals(connection as never);
    if (broken) {
      tools.say(saysOf(broken));
      return 1;
    }
    tools.say(
      head === null
        ? 'The audit log has no seals yet: the first one is made about ten minutes after its first row.'
        : `${rows} rows in ${seals} seals hold, until ${at(head.until_at)}. Head: ${head.hash}`,
    );
    return 0;
  },
};
