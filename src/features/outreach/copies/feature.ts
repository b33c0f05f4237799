// Copies of sent letters in the Sent folders of their senders.
import type { Feature } from '../../../kernel/app.ts';
import type { OnSent } from '../sends/letter/on-sent.ts';
import { sentCopiesPass } from './pass.ts';

export const copies = (on_sent: OnSent): Feature => ({
  name: 'copies',
  operations: [],
  passes: [sentCopiesPass(on_sent)],
});
